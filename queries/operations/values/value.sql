-- purpose: relation valued: the values of a row's changes
-- params: 
-- columns: step BIGINT, call INTEGER, outcome VARCHAR, error VARCHAR, keys VARCHAR[]
SELECT step, call, outcome, error, list_transform(changes, lambda c: c."value") AS keys
FROM selected
