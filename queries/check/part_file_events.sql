-- purpose: the file_events of the trajectories in `touched`
SELECT * FROM file_events SEMI JOIN touched USING (trajectory_id)
