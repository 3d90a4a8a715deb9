-- purpose: remove the steps of trajectories whose content is replaced
DELETE FROM steps
WHERE trajectory_id IN (SELECT trajectory_id FROM verdicts WHERE verdict IN ('changed', 'answered'))
