-- purpose: forget the ledger and the file graph of the touched trajectories
-- makes: ledger and file_events
DELETE FROM ledger WHERE trajectory_id IN (SELECT trajectory_id FROM touched);
DELETE FROM file_events WHERE trajectory_id IN (SELECT trajectory_id FROM touched);
