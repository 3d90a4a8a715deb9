-- purpose: identical actions wherever they stand, with all their steps
-- params: trajectory_id VARCHAR
-- columns: trajectory_id VARCHAR, action VARCHAR, times BIGINT, steps BIGINT[]
SELECT trajectory_id, left(raw, 200) AS action, count(*) AS times, list(step ORDER BY step, call) AS steps
FROM ledger
WHERE act IS NOT NULL AND NOT is_copied AND ($trajectory_id IS NULL OR trajectory_id = $trajectory_id)
GROUP BY trajectory_id, raw
HAVING count(*) > 1
ORDER BY times DESC, trajectory_id, steps;
