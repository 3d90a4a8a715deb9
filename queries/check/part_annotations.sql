-- purpose: the annotations of the trajectories in `touched`
SELECT * FROM annotations SEMI JOIN touched USING (trajectory_id)
