-- purpose: whether the file graph knows a trajectory
-- params: trajectory_id VARCHAR
-- columns: has_files BOOLEAN
SELECT count(*) > 0 AS has_files FROM file_events WHERE trajectory_id = $trajectory_id
