-- purpose: relation valued: the action as logged
-- params: 
-- columns: step BIGINT, call INTEGER, outcome VARCHAR, error VARCHAR, keys VARCHAR[]
SELECT step, call, outcome, error, [raw] AS keys
FROM selected
