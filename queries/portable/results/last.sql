-- purpose: the last selected step, NULL if there is none
-- params:
-- columns: value BIGINT
SELECT max(step) AS value
FROM selected
