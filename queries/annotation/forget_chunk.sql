-- purpose: forget how an earlier try of a chunk ended
-- params: trajectory_id VARCHAR, chunk VARCHAR
DELETE FROM annotation_chunks WHERE trajectory_id = $trajectory_id AND chunk = $chunk;
