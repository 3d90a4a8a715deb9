-- purpose: the archive as flat canonical rows, one a step, loadable as they are
-- columns: trajectory_id VARCHAR, step BIGINT, call INTEGER, action VARCHAR, observation VARCHAR, tool VARCHAR, args VARCHAR, args_json VARCHAR, exit_code BIGINT, is_error BOOLEAN, is_copied BOOLEAN, ts TIMESTAMP, source_ref VARCHAR, task VARCHAR, domain VARCHAR, metadata VARCHAR
SELECT
    s.trajectory_id, s.step, s.call, s.action, s.observation, s.tool, s.args,
    s.args_json::VARCHAR AS args_json, s.exit_code, s.is_error, s.is_copied, s.ts, s.source_ref,
    t.task, t.domain, t.metadata::VARCHAR AS metadata
FROM steps AS s
JOIN trajectories AS t USING (trajectory_id)
ORDER BY s.trajectory_id, s.step, s.call
