-- purpose: give the only trajectory of a source the id that the user chose
-- params: trajectory_id VARCHAR
UPDATE incoming_trajectories SET trajectory_id = $trajectory_id
