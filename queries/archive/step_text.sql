-- purpose: the two texts of one archived step, for excerpts
-- params: trajectory_id VARCHAR, step BIGINT, call INTEGER
-- columns: action VARCHAR, observation VARCHAR
SELECT action, observation
FROM steps
WHERE trajectory_id = $trajectory_id AND step = $step AND call = $call
