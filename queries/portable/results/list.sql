-- purpose: the selected steps, each once, in order
-- params:
-- columns: step BIGINT
SELECT DISTINCT step
FROM selected
ORDER BY step
