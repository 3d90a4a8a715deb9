-- purpose: the n-th selected event
-- params: skipped BIGINT
-- columns: step BIGINT, call INTEGER
SELECT step, call
FROM selected
ORDER BY step, call
LIMIT 1 OFFSET $skipped
