-- purpose: relation valued: the second target of a row, if it has one: the place of a move, the text typed
-- params: 
-- columns: step BIGINT, call INTEGER, outcome VARCHAR, error VARCHAR, keys VARCHAR[]
SELECT step, call, outcome, error, [targets[2]] AS keys
FROM selected
