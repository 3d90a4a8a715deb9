-- purpose: relation valued: all targets of a row
-- params: 
-- columns: step BIGINT, call INTEGER, outcome VARCHAR, error VARCHAR, keys VARCHAR[]
SELECT step, call, outcome, error, targets AS keys
FROM selected
