-- purpose: remove the file events of trajectories whose content is replaced
DELETE FROM file_events
WHERE trajectory_id IN (SELECT trajectory_id FROM verdicts WHERE verdict IN ('changed', 'answered'))
