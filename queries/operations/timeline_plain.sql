-- purpose: one row per selected event, in order, as the paper shows it
-- params: limit BIGINT
-- columns: step BIGINT, tool VARCHAR, outcome VARCHAR, changes VARCHAR[]
SELECT
    step,
    tool,
    outcome,
    list_transform(
        changes, lambda c: concat(c.object, '.', c.property, ' → ', c."value")
    ) AS changes
FROM selected
ORDER BY step, call
LIMIT $limit
