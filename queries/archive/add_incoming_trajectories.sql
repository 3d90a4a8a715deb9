-- purpose: append an Arrow batch of trajectory pieces to the staging table
INSERT INTO incoming_trajectories BY NAME SELECT * FROM incoming_batch
