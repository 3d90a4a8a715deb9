-- purpose: trajectories whose texts are not what was archived
-- columns: trajectory_id VARCHAR, step BIGINT, problem VARCHAR
WITH found AS (
    SELECT trajectory_id, content_hash(row_hash) AS hash
    FROM (
        SELECT trajectory_id, step_hash(
            step, call, action, observation, tool, args, exit_code, is_error, is_copied, ts, source_ref
        ) AS row_hash
        FROM steps
    )
    GROUP BY trajectory_id
)
SELECT trajectory_id, NULL::BIGINT AS step, 'its steps are not those that were archived: the hash differs' AS problem
FROM trajectories JOIN found USING (trajectory_id)
WHERE content_hash <> found.hash
