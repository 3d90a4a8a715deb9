-- purpose: ids of the trajectories whose id matches a glob pattern
-- params: pattern VARCHAR
-- columns: trajectory_id VARCHAR
SELECT trajectory_id FROM trajectories WHERE trajectory_id GLOB $pattern ORDER BY trajectory_id
