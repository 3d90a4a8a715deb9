-- purpose: the arguments that differ from the previous call of the same tool on the same path
-- makes: deltas(id, delta)
CREATE OR REPLACE TEMP TABLE deltas AS
WITH ordered AS (
    SELECT
        id, args,
        lag(args) OVER (
            PARTITION BY trajectory_id, tool, coalesce(paths[1], ''), is_copied ORDER BY step, call
        ) AS earlier
    FROM calls
    JOIN acts USING (id)
    WHERE args IS NOT NULL
),
differing AS (
    SELECT
        id, args, earlier,
        list_filter(
            vocabulary.mentions(map_keys(args) || map_keys(earlier)),
            lambda key: args[key] IS DISTINCT FROM earlier[key]
        ) AS keys
    FROM ordered
    WHERE earlier IS NOT NULL
)
SELECT
    id,
    -- long values show that they changed, not all that they hold
    list_transform(keys, lambda key:
        key || ': '
        || CASE WHEN length(earlier[key]) > 200 THEN left(earlier[key], 200) || '…' ELSE coalesce(earlier[key], 'none') END
        || ' → '
        || CASE WHEN length(args[key]) > 200 THEN left(args[key], 200) || '…' ELSE coalesce(args[key], 'none') END
    ) AS delta
FROM differing
WHERE len(keys) > 0;
