-- purpose: the selected events that have a value
-- params:
-- columns: query_id BIGINT, events BIGINT
SELECT query_id, count(*) AS events
FROM (SELECT DISTINCT query_id, step, call FROM keyed) AS held
GROUP BY query_id
