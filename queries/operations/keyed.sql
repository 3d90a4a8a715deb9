-- purpose: relation keyed: one row per value of a selected row; position orders the values of a row
-- params: 
-- columns: step BIGINT, call INTEGER, outcome VARCHAR, key VARCHAR, position BIGINT
SELECT step, call, outcome, key, position
FROM (
    SELECT step, call, outcome, unnest(keys) AS key, generate_subscripts(keys, 1) AS position
    FROM valued
)
WHERE key <> ''
