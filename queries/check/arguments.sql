-- purpose: arguments whose parsed form is not that of their text
-- columns: trajectory_id VARCHAR, step BIGINT, problem VARCHAR
SELECT trajectory_id, step, 'args_json is not what args say' AS problem
FROM steps
WHERE (args_json IS NULL) = coalesce(json_valid(args), false) OR args_json::VARCHAR <> args
