-- purpose: relation valued: the short hash of a commit
-- params: 
-- columns: step BIGINT, call INTEGER, outcome VARCHAR, error VARCHAR, keys VARCHAR[]
SELECT step, call, outcome, error, [regexp_extract(raw, '^commit ([0-9a-f]{7,40}):', 1)] AS keys
FROM selected
