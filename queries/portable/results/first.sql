-- purpose: the first selected step, NULL if there is none
-- params:
-- columns: value BIGINT
SELECT min(step) AS value
FROM selected
