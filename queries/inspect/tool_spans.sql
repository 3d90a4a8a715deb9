-- purpose: the first and the last use of each tool
-- params: trajectory_id VARCHAR
-- columns: trajectory_id VARCHAR, tool VARCHAR, events BIGINT, first_step BIGINT, first_action VARCHAR, last_step BIGINT, last_action VARCHAR
SELECT
    trajectory_id, tool, count(*) AS events,
    min(step) AS first_step, left(arg_min(raw, (step, call)), 200) AS first_action,
    max(step) AS last_step, left(arg_max(raw, (step, call)), 200) AS last_action
FROM ledger
WHERE tool IS NOT NULL AND act IS NOT NULL AND NOT is_copied AND ($trajectory_id IS NULL OR trajectory_id = $trajectory_id)
GROUP BY trajectory_id, tool
ORDER BY trajectory_id, first_step, tool;
