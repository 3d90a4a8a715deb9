-- purpose: append an Arrow batch of steps to the staging table
INSERT INTO incoming_steps BY NAME SELECT * FROM incoming_batch
