-- purpose: the last selected event
-- params: 
-- columns: step BIGINT, call INTEGER
SELECT step, call
FROM selected
ORDER BY step DESC, call DESC
LIMIT 1
