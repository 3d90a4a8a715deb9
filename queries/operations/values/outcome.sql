-- purpose: relation valued: the outcome
-- params: 
-- columns: step BIGINT, call INTEGER, outcome VARCHAR, error VARCHAR, keys VARCHAR[]
SELECT step, call, outcome, error, [outcome] AS keys
FROM selected
