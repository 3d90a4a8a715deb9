-- purpose: one row per selected event, in order
-- params: limit BIGINT
-- columns: step BIGINT, tool VARCHAR, outcome VARCHAR, changes VARCHAR[], raw VARCHAR
SELECT
    step,
    tool,
    outcome,
    list_transform(
        changes, lambda c: concat(c.object, '.', c.property, ' → ', c."value")
    ) AS changes,
    raw
FROM selected
ORDER BY step, call
LIMIT $limit
