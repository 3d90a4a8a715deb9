-- purpose: the chunks of a trajectory that need no further call
-- params: trajectory_id VARCHAR
-- columns: chunk VARCHAR
SELECT chunk FROM annotation_chunks WHERE trajectory_id = $trajectory_id AND state = 'done';
