-- purpose: relation valued: all parameter differences of a row
-- params: 
-- columns: step BIGINT, call INTEGER, outcome VARCHAR, error VARCHAR, keys VARCHAR[]
SELECT step, call, outcome, error, delta AS keys
FROM selected
