-- purpose: the selected steps, each once, in order
-- params: limit BIGINT
-- columns: step BIGINT
SELECT DISTINCT step
FROM selected
ORDER BY step
LIMIT $limit
