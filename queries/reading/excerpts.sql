-- purpose: the two texts of the calls of some steps, whole or, where longer than a cap, their head and tail
-- params: trajectory_id VARCHAR, steps BIGINT[], cap BIGINT, tail BIGINT
-- columns: step BIGINT, call INTEGER, action VARCHAR, action_tail VARCHAR, action_length BIGINT, observation VARCHAR, observation_tail VARCHAR, observation_length BIGINT
SELECT
    step, call,
    CASE WHEN length(action) > $cap THEN left(action, $cap - $tail) ELSE action END AS action,
    CASE WHEN length(action) > $cap THEN right(action, $tail) END AS action_tail,
    length(action) AS action_length,
    CASE WHEN length(observation) > $cap THEN left(observation, $cap - $tail) ELSE observation END AS observation,
    CASE WHEN length(observation) > $cap THEN right(observation, $tail) END AS observation_tail,
    length(observation) AS observation_length
FROM steps
WHERE trajectory_id = $trajectory_id AND step IN (SELECT unnest($steps::BIGINT[]))
ORDER BY step, call
