-- purpose: relation valued: the exit code as text
-- params: 
-- columns: step BIGINT, call INTEGER, outcome VARCHAR, error VARCHAR, keys VARCHAR[]
SELECT step, call, outcome, error, [CAST(exit_code AS VARCHAR)] AS keys
FROM selected
