-- purpose: the ledger of the trajectories in `touched`
SELECT * FROM ledger SEMI JOIN touched USING (trajectory_id)
