-- purpose: the steps of the trajectories in `touched`
SELECT * FROM steps SEMI JOIN touched USING (trajectory_id)
