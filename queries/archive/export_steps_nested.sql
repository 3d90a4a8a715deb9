-- purpose: the archive as nested canonical rows, one a trajectory with its list of steps
-- columns: trajectory_id VARCHAR, task VARCHAR, domain VARCHAR, metadata VARCHAR, steps STRUCT(step BIGINT, "call" INTEGER, "action" VARCHAR, observation VARCHAR, tool VARCHAR, args VARCHAR, exit_code BIGINT, is_error BOOLEAN, is_copied BOOLEAN, ts TIMESTAMP, source_ref VARCHAR)[]
WITH listed AS (
    SELECT
        trajectory_id,
        list(
            {
                step: step, call: call, action: action, observation: observation, tool: tool,
                args: args, exit_code: exit_code, is_error: is_error, is_copied: is_copied,
                ts: ts, source_ref: source_ref
            }
            ORDER BY step, call
        ) AS steps
    FROM steps
    GROUP BY trajectory_id
)
SELECT
    t.trajectory_id, t.task, t.domain, t.metadata::VARCHAR AS metadata,
    coalesce(l.steps, []) AS steps
FROM trajectories AS t
LEFT JOIN listed AS l USING (trajectory_id)
ORDER BY t.trajectory_id
