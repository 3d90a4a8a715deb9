-- purpose: the table trajectories, in the order of the ids
-- columns: trajectory_id VARCHAR, task VARCHAR, domain VARCHAR, source VARCHAR, format VARCHAR, n_steps BIGINT, content_hash VARCHAR, metadata VARCHAR, loaded_at TIMESTAMP
SELECT trajectory_id, task, domain, source, format, n_steps, content_hash, metadata::VARCHAR AS metadata, loaded_at
FROM trajectories
ORDER BY trajectory_id
