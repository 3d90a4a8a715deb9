-- purpose: act, targets and paths of each call, from the shape of its action
-- makes: acts(id, act, targets, paths, path_argument, subcommand, is_patch, keys)
CREATE OR REPLACE TEMP TABLE acts AS
WITH page AS (
    -- web actions: [arguments], then what the element is
    SELECT
        id,
        regexp_extract_all(
            CASE WHEN contains(text, ' where [') THEN regexp_extract(text, '(?s)^(.*) where \[', 1) ELSE text END,
            '\[((?:[^\[\]]|\[[^\[\]]*\])*)\]', 1
        ) AS arguments,
        regexp_extract(text, '(?s) where \[[^\[\]]*\] is (\S+) ''(.*)''[^'']*$', ['role', 'label']) AS element,
        contains(text, ' where [') AS has_element
    FROM calls
    WHERE shape = 'brackets'
),
elements AS (
    SELECT
        id,
        list_filter(
            list_transform(
                CASE
                    WHEN NOT has_element THEN arguments
                    WHEN trim(element.label) <> '' THEN [element.label, arguments[2]]
                    WHEN element.role <> '' THEN [element.role || ' [' || arguments[1] || ']', arguments[2]]
                    ELSE arguments
                END,
                lambda target: trim(target)
            ),
            lambda target: target <> ''
        ) AS targets
    FROM page
),
acted AS (
    SELECT
        id, tool, shape, calls.family,
        arguments.subcommand, arguments.path_argument, coalesce(arguments.is_patch, false) AS is_patch,
        coalesce(arguments.paths, []) AS paths,
        coalesce(is_verb, false) AS is_verb,
        CASE
            WHEN shape = 'malformed' THEN 'malformed'
            WHEN tool IS NULL AND shape = 'empty' THEN NULL
            WHEN phrases.act IS NOT NULL THEN phrases.act
            WHEN arguments.subcommand IS NOT NULL THEN tool || '.' || arguments.subcommand
            WHEN program IS NOT NULL THEN tool || '.' || program
            WHEN shape IN ('brackets', 'swap') THEN lower(tool)
            ELSE tool
        END AS act,
        CASE
            WHEN shape IN ('empty', 'malformed') THEN []
            WHEN phrases.targets IS NOT NULL THEN phrases.targets
            WHEN shape = 'swap' THEN [calls.text]
            WHEN shape = 'brackets' THEN elements.targets
            WHEN calls.family = 'shell' THEN vocabulary.mentions(coalesce(arguments.paths, []) || coalesce(commands.paths, []))
            WHEN args IS NOT NULL OR arguments.is_patch THEN arguments.targets
            -- a tool that takes text: what it is given
            WHEN shape = 'structured' AND calls.family IS NULL AND length(rest) BETWEEN 1 AND 200
                AND NOT contains(rest, E'\n') AND NOT starts_with(rest, '{') THEN [rest]
            WHEN shape = 'call' THEN vocabulary.mentions(list_transform(
                regexp_extract_all(rest, '"[^"\n]*"|''[^''\n]*'''), lambda quoted: quoted[2:-2]
            ))
        END AS targets
    FROM calls
    LEFT JOIN arguments USING (id)
    LEFT JOIN commands USING (id)
    LEFT JOIN elements USING (id)
    LEFT JOIN phrases ON phrases.text = CASE shape WHEN 'phrase' THEN calls.text ELSE arguments.phrase END
)
SELECT
    id, act, coalesce(targets, []) AS targets, paths, path_argument, subcommand, is_patch,
    -- the names under which receipts for this call are kept
    list_filter(
        ['act ' || lower(act), 'tool ' || lower(tool), CASE WHEN is_verb THEN 'world' ELSE family END, family || ' ' || subcommand, 'any'],
        lambda key: key IS NOT NULL
    ) AS keys
FROM acted;
