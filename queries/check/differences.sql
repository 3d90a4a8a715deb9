-- purpose: rows that are not those that the same steps give anew
-- columns: trajectory_id VARCHAR, step BIGINT, problem VARCHAR
WITH missing AS (SELECT * FROM ledger EXCEPT ALL SELECT * FROM part_ledger),
surplus AS (SELECT * FROM part_ledger EXCEPT ALL SELECT * FROM ledger),
missing_events AS (SELECT * FROM file_events EXCEPT ALL SELECT * FROM part_file_events),
surplus_events AS (SELECT * FROM part_file_events EXCEPT ALL SELECT * FROM file_events)
SELECT DISTINCT trajectory_id, step, 'the ledger''s row is not the one that the step gives' AS problem
FROM (SELECT trajectory_id, step FROM missing UNION ALL SELECT trajectory_id, step FROM surplus)
UNION ALL
SELECT DISTINCT trajectory_id, step, 'the file events are not those that the step gives'
FROM (SELECT trajectory_id, step FROM missing_events UNION ALL SELECT trajectory_id, step FROM surplus_events)
