-- purpose: the rows of each trajectory that state an outcome and an exit code
-- params:
-- columns: trajectory_id VARCHAR, outcomes BIGINT, exit_codes BIGINT
SELECT
    trajectory_id,
    CAST(sum(CASE WHEN outcome <> 'unknown' THEN 1 ELSE 0 END) AS BIGINT) AS outcomes,
    count(exit_code) AS exit_codes
FROM events
GROUP BY trajectory_id
