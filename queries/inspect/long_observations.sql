-- purpose: the longest observations, with how each begins
-- params: trajectory_id VARCHAR, at_most BIGINT
-- columns: trajectory_id VARCHAR, step BIGINT, call INTEGER, act VARCHAR, characters BIGINT, opening VARCHAR
SELECT
    trajectory_id, steps.step, steps.call, act, length(observation) AS characters, left(observation, 100) AS opening
FROM steps
JOIN ledger USING (trajectory_id, step, call)
WHERE observation IS NOT NULL AND ($trajectory_id IS NULL OR trajectory_id = $trajectory_id)
ORDER BY characters DESC, trajectory_id, step, call
LIMIT coalesce($at_most::BIGINT, 20);
