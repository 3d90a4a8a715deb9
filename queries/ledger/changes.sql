-- purpose: the state changes that the receipts of successful calls confirm
-- makes: changed(id, changes)
CREATE OR REPLACE TEMP TABLE changed AS
WITH filled AS (
    SELECT
        outcomes.id,
        vocabulary.filled(object, targets, paths[1], calls.tool) AS object,
        property,
        vocabulary.filled("value", targets, paths[1], calls.tool) AS "value",
        changes.rowid AS position,
        coalesce(calls.text, '') AS text, head
    FROM outcomes
    JOIN vocabulary.changes ON changes.receipt = outcomes.receipt
    JOIN calls USING (id)
    JOIN acts USING (id)
    JOIN openings USING (id)
    WHERE outcomes.outcome = 'success'
)
SELECT
    id,
    list(
        struct_pack(
            object := object, property := property, "value" := "value",
            verified := contains(lower(text), lower(ltrim("value", '+-'))) OR contains(lower(head), lower(ltrim("value", '+-')))
        ) ORDER BY position
    ) AS changes
FROM filled
WHERE object IS NOT NULL AND "value" IS NOT NULL
GROUP BY id;
