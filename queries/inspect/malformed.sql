-- purpose: texts in the place of an action that are error messages
-- params: trajectory_id VARCHAR
-- columns: trajectory_id VARCHAR, steps BIGINT[], times BIGINT, opening VARCHAR
SELECT trajectory_id, list(step ORDER BY step, call) AS steps, count(*) AS times, left(raw, 60) AS opening
FROM ledger
WHERE act = 'malformed' AND NOT is_copied AND ($trajectory_id IS NULL OR trajectory_id = $trajectory_id)
GROUP BY trajectory_id, left(raw, 60)
ORDER BY times DESC, trajectory_id, steps;
