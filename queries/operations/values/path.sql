-- purpose: relation valued: all paths of a row
-- params: 
-- columns: step BIGINT, call INTEGER, outcome VARCHAR, error VARCHAR, keys VARCHAR[]
SELECT step, call, outcome, error, paths AS keys
FROM selected
