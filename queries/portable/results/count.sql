-- purpose: the number of selected events
-- params:
-- columns: value BIGINT
SELECT count(*) AS value
FROM selected
