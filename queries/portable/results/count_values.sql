-- purpose: the number of values of the selected events, each once an event
-- params:
-- columns: value BIGINT
SELECT count(*) AS value
FROM grouped
