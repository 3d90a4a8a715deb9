-- purpose: give the steps of the only trajectory of a source the id that the user chose
-- params: trajectory_id VARCHAR
UPDATE incoming_steps SET trajectory_id = $trajectory_id
