-- purpose: annotations of steps that are not there, or whose texts are other than those that the model saw
-- columns: trajectory_id VARCHAR, step BIGINT, problem VARCHAR
SELECT trajectory_id, step, CASE WHEN steps.step IS NULL THEN 'an annotation without a step'
    ELSE 'an annotation of other texts than the step''s' END AS problem
FROM annotations LEFT JOIN steps USING (trajectory_id, step, call)
WHERE steps.step IS NULL OR texts_hash(action, observation) <> texts
