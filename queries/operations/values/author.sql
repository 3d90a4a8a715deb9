-- purpose: relation valued: the author
-- params: 
-- columns: step BIGINT, call INTEGER, outcome VARCHAR, error VARCHAR, keys VARCHAR[]
SELECT step, call, outcome, error, [author] AS keys
FROM selected
