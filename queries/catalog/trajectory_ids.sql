-- purpose: ids of all trajectories
-- params:
-- columns: trajectory_id VARCHAR
SELECT trajectory_id FROM trajectories ORDER BY trajectory_id
