-- purpose: what shape each action of the touched trajectories has, its tool and its arguments
-- makes: calls(id, trajectory_id, step, call, is_copied, shape, tool, family, args, text, rest)
CREATE OR REPLACE TEMP TABLE calls AS
WITH words AS (
    SELECT
        list(opening) FILTER (meaning = 'placeholder') AS placeholders,
        list(opening) FILTER (meaning = 'malformed') AS malformed
    FROM vocabulary.not_actions
),
logged AS (
    SELECT
        steps.rowid AS id, trajectory_id, step, call, is_copied, steps.tool AS source_tool, args AS source_args, args_json,
        -- trimming reads every character: only where there is something to trim
        CASE
            WHEN action IS NULL THEN ''
            WHEN contains(E' \n\r\t', left(action, 1)) OR contains(E' \n\r\t', right(action, 1)) THEN trim(action, E' \n\r\t')
            ELSE action
        END AS text
    FROM steps
    WHERE trajectory_id IN (SELECT trajectory_id FROM touched) AND steps.rowid NOT IN (SELECT id FROM commits)
),
identified AS (
    SELECT *, regexp_extract(left(text, 100), '^[A-Za-z_\x{80}-\x{10FFFF}][\w.\x{80}-\x{10FFFF}-]*') AS name
    FROM logged
),
parted AS (
    -- what follows the leading identifier tells how the action is written
    SELECT *, substr(text, length(name) + 1, 2) AS mark FROM identified
),
shaped AS (
    SELECT
        *,
        CASE
            -- a structured name that the action repeats adds nothing: the action is read as it is written
            WHEN source_tool IS NOT NULL AND (source_args IS NOT NULL OR lower(source_tool) <> lower(name)) THEN 'structured'
            WHEN text = '' OR list_contains(placeholders, text) THEN 'empty'
            WHEN len(list_filter(malformed, lambda opening: starts_with(text, opening))) > 0 THEN 'malformed'
            WHEN name = '' AND regexp_full_match(left(text, 200), '\(\(\s*-?\d+\s*,.*\)\)') THEN 'swap'
            WHEN name = '' THEN 'phrase'
            WHEN starts_with(mark, '(') AND ends_with(text, ')') THEN 'call'
            WHEN starts_with(mark, ':') THEN 'colon'
            WHEN mark = ' [' THEN 'brackets'
            ELSE 'phrase'
        END AS shape
    FROM parted, words
),
argued AS (
    SELECT
        *,
        CASE shape
            WHEN 'call' THEN substr(text, length(name) + 2, length(text) - length(name) - 2)
            WHEN 'colon' THEN CASE
                WHEN mark = ': ' AND substr(text, length(name) + 3, 1) <> ' ' THEN substr(text, length(name) + 3)
                ELSE ltrim(substr(text, length(name) + 2))
            END
            WHEN 'structured' THEN coalesce(source_args, '')
        END AS rest
    FROM shaped
),
mapped AS (
    SELECT
        *,
        -- one cast decodes all strings; what is no JSON object, or repeats a key, has no map
        try_cast(
            CASE
                WHEN args_json IS NOT NULL THEN args_json
                WHEN starts_with(rest, '{') AND ends_with(rest, '}') THEN try_cast(rest AS JSON)
            END AS MAP(VARCHAR, VARCHAR)
        ) AS args
    FROM argued
)
SELECT
    id, trajectory_id, step, call, is_copied, shape,
    CASE
        WHEN shape IN ('empty', 'malformed') THEN NULL
        WHEN shape = 'swap' THEN 'swap'
        ELSE coalesce(source_tool, nullif(name, ''))
    END AS tool,
    family, args,
    -- texts are kept only where a later statement reads them
    CASE WHEN shape IN ('phrase', 'brackets', 'swap') THEN text END AS text,
    CASE WHEN args IS NULL THEN rest END AS rest
FROM mapped
LEFT JOIN vocabulary.tools ON tools.tool = lower(coalesce(source_tool, nullif(name, '')));
