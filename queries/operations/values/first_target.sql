-- purpose: relation valued: the first target of a row
-- params: 
-- columns: step BIGINT, call INTEGER, outcome VARCHAR, error VARCHAR, keys VARCHAR[]
SELECT step, call, outcome, error, [targets[1]] AS keys
FROM selected
