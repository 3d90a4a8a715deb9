-- purpose: what the structured arguments of each call name, by their roles
-- makes: arguments(id, command, phrase, subcommand, targets, paths, path_argument)
CREATE OR REPLACE TEMP TABLE arguments AS
WITH keys AS (
    SELECT id, tool, family, args, unnest(map_keys(args)) AS key, generate_subscripts(map_keys(args), 1) AS position
    FROM calls
    WHERE args IS NOT NULL
),
known AS (
    SELECT id, key, position, role, family, nullif(args[key], '') AS text
    FROM keys
    JOIN vocabulary.arguments AS known ON known.argument = lower(key) AND known.tool IN ('*', lower(keys.tool))
),
one AS (
    -- an argument may hold a list: each element is a value
    SELECT
        id, key, role, family, position, text,
        unnest(CASE
            WHEN role = 'command' OR role = 'phrase' OR NOT starts_with(text, '[') THEN [text]
            ELSE coalesce(try_cast(try_cast(text AS JSON) AS VARCHAR[]), [text])
        END) AS "value"
    FROM known
    WHERE text IS NOT NULL
)
SELECT
    id,
    first("value" ORDER BY position) FILTER (role = 'command' AND family = 'shell') AS command,
    first("value" ORDER BY position) FILTER (role = 'phrase') AS phrase,
    first("value" ORDER BY position) FILTER (
        key = 'command' AND family IS DISTINCT FROM 'shell' AND regexp_full_match("value", '[\w-]+')
    ) AS subcommand,
    coalesce(vocabulary.mentions(list("value" ORDER BY position) FILTER (role IN ('path', 'url', 'query', 'name'))), []) AS targets,
    coalesce(vocabulary.mentions(list("value" ORDER BY position) FILTER (role = 'path')), []) AS paths,
    first(key ORDER BY position) FILTER (role = 'path') AS path_argument
FROM one
GROUP BY id;
