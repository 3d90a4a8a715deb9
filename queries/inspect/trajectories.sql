-- purpose: all trajectories at a glance
-- params: trajectory_id VARCHAR
-- columns: trajectory_id VARCHAR, domain VARCHAR, format VARCHAR, steps BIGINT, events BIGINT, malformed BIGINT, failures BIGINT, tools BIGINT, files BIGINT, first_step BIGINT, last_step BIGINT, task VARCHAR
WITH counted AS (
    SELECT
        trajectory_id, count(*) AS steps,
        count(*) FILTER (act <> 'malformed' AND NOT is_copied) AS events,
        count(*) FILTER (act = 'malformed') AS malformed,
        count(*) FILTER (outcome = 'failure' AND NOT is_copied) AS failures,
        count(DISTINCT tool) AS tools,
        min(step) AS first_step, max(step) AS last_step
    FROM ledger
    GROUP BY trajectory_id
),
opened AS (
    SELECT trajectory_id, count(DISTINCT path) AS files FROM file_events GROUP BY trajectory_id
)
SELECT
    trajectory_id, domain, format,
    coalesce(steps, 0) AS steps, coalesce(events, 0) AS events, coalesce(malformed, 0) AS malformed, coalesce(failures, 0) AS failures,
    coalesce(tools, 0) AS tools, coalesce(files, 0) AS files, first_step, last_step, left(task, 200) AS task
FROM trajectories
LEFT JOIN counted USING (trajectory_id)
LEFT JOIN opened USING (trajectory_id)
WHERE $trajectory_id IS NULL OR trajectory_id = $trajectory_id
ORDER BY trajectory_id;
