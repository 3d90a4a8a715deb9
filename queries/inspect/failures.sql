-- purpose: failed events by tool and error text, most frequent first
-- params: trajectory_id VARCHAR
-- columns: tool VARCHAR, error VARCHAR, events BIGINT, trajectories BIGINT, example STRUCT(trajectory_id VARCHAR, step BIGINT)
SELECT
    tool, error, count(*) AS events, count(DISTINCT trajectory_id) AS trajectories,
    arg_min(struct_pack(trajectory_id := trajectory_id, step := step), (trajectory_id, step)) AS example
FROM ledger
WHERE outcome = 'failure' AND NOT is_copied AND ($trajectory_id IS NULL OR trajectory_id = $trajectory_id)
GROUP BY tool, error
ORDER BY events DESC, tool, error;
