-- purpose: relation valued: the tool
-- params: 
-- columns: step BIGINT, call INTEGER, outcome VARCHAR, error VARCHAR, keys VARCHAR[]
SELECT step, call, outcome, error, [tool] AS keys
FROM selected
