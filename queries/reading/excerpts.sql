-- purpose: the two texts of the calls of some steps, whole or, where longer than the step's cap, their head and tail
-- params: trajectory_id VARCHAR, steps BIGINT[], caps BIGINT[], tail_share DOUBLE
-- columns: step BIGINT, call INTEGER, action VARCHAR, action_tail VARCHAR, action_length BIGINT, observation VARCHAR, observation_tail VARCHAR, observation_length BIGINT
WITH chosen AS (
    SELECT unnest($steps::BIGINT[]) AS step, unnest($caps::BIGINT[]) AS cap
),

texts AS (
    SELECT
        step, call, action, observation, cap, floor(cap * $tail_share::DOUBLE)::BIGINT AS tail
    FROM steps
    JOIN chosen USING (step)
    WHERE trajectory_id = $trajectory_id
)
SELECT
    step, call,
    CASE WHEN length(action) > cap THEN left(action, cap - tail) ELSE action END AS action,
    CASE WHEN length(action) > cap THEN right(action, tail) END AS action_tail,
    length(action) AS action_length,
    CASE WHEN length(observation) > cap THEN left(observation, cap - tail) ELSE observation END AS observation,
    CASE WHEN length(observation) > cap THEN right(observation, tail) END AS observation_tail,
    length(observation) AS observation_length
FROM texts
ORDER BY step, call
