-- purpose: relation valued: the objects of a row's changes
-- params: 
-- columns: step BIGINT, call INTEGER, outcome VARCHAR, error VARCHAR, keys VARCHAR[]
SELECT step, call, outcome, error, list_transform(changes, lambda c: c."object") AS keys
FROM selected
