-- purpose: relation valued: all state changes of a row
-- params: 
-- columns: step BIGINT, call INTEGER, outcome VARCHAR, error VARCHAR, keys VARCHAR[]
SELECT step, call, outcome, error,     list_transform(changes, lambda c: concat(c.object, '.', c.property, ' → ', c."value")) AS keys
FROM selected
