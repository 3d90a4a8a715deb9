-- purpose: what the events of one trajectory hold: each value of each field, frequent first
-- params: trajectory_id VARCHAR
-- columns: section VARCHAR, value VARCHAR, events BIGINT, first_step BIGINT, last_step BIGINT
WITH mentions AS (
    -- one pass over the rows: every (section, value) that a row has
    SELECT
        step, call,
        unnest(
            [('all', NULL)]
            || CASE
                WHEN act IS NULL OR is_copied THEN []
                WHEN act = 'malformed' THEN [('malformed', NULL)]
                ELSE
                    [
                        ('events', NULL), ('tools', tool), ('acts', act), ('outcomes', outcome),
                        ('exit_codes', exit_code::VARCHAR), ('errors', error), ('authors', author)
                    ]
                    || list_transform(targets, lambda target: ('targets', target))
                    || list_transform(paths, lambda path: ('paths', path))
                    || list_transform(list_distinct(list_transform(changes, lambda change: change.property)), lambda property: ('properties', property))
            END
        ) AS mention
    FROM ledger
    WHERE trajectory_id = $trajectory_id
)
SELECT
    mention[1] AS section,
    -- spellings of one name count together under the first of them; paths are exact
    arg_min(mention[2], (step, call)) AS "value",
    count(*) AS events,
    min(step) AS first_step,
    max(step) AS last_step
FROM mentions
WHERE mention[2] IS NOT NULL OR mention[1] IN ('all', 'events', 'malformed')
GROUP BY mention[1], CASE mention[1] WHEN 'paths' THEN mention[2] ELSE lower(mention[2]) END
ORDER BY section, events DESC, first_step, "value";
