-- purpose: remove the rows of trajectories that are written anew
DELETE FROM trajectories
WHERE trajectory_id IN (SELECT trajectory_id FROM verdicts WHERE verdict IN ('changed', 'answered', 'grown'))
