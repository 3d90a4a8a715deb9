-- purpose: remove the ledger of trajectories whose content is replaced
DELETE FROM ledger
WHERE trajectory_id IN (SELECT trajectory_id FROM verdicts WHERE verdict IN ('changed', 'answered'))
