-- purpose: relation valued: the first line of the error text
-- params: 
-- columns: step BIGINT, call INTEGER, outcome VARCHAR, error VARCHAR, keys VARCHAR[]
SELECT step, call, outcome, error, [error] AS keys
FROM selected
