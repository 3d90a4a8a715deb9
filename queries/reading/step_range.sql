-- purpose: the first and the last step number of a trajectory
-- params: trajectory_id VARCHAR
-- columns: first_step BIGINT, last_step BIGINT
SELECT min(step) AS first_step, max(step) AS last_step
FROM steps
WHERE trajectory_id = $trajectory_id
