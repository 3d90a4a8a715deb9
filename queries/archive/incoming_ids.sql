-- purpose: the distinct trajectory ids of the source file being loaded, in order, at most three
-- columns: trajectory_id VARCHAR
SELECT trajectory_id FROM incoming_trajectories GROUP BY trajectory_id ORDER BY min(piece) LIMIT 3
