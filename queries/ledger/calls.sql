-- purpose: what shape each action of the touched trajectories has, its tool and its arguments
-- makes: calls(id, trajectory_id, step, call, is_copied, text, shape, tool, family, rest, args)
CREATE OR REPLACE TEMP TABLE calls AS
WITH words AS (
    SELECT
        list(opening) FILTER (meaning = 'placeholder') AS placeholders,
        list(opening) FILTER (meaning = 'malformed') AS malformed
    FROM vocabulary.not_actions
),
logged AS (
    SELECT
        steps.rowid AS id, trajectory_id, step, call, is_copied, steps.tool AS source_tool, args, args_json,
        trim(coalesce(action, ''), E' \n\r\t') AS text,
        regexp_extract(left(ltrim(coalesce(action, ''), E' \n\r\t'), 100), '^[\p{L}_][\p{L}\p{N}_.-]*') AS name
    FROM steps
    WHERE trajectory_id IN (SELECT trajectory_id FROM touched)
),
parted AS (
    -- what follows the leading identifier tells how the action is written
    SELECT *, substr(text, length(name) + 1, 2) AS mark FROM logged
),
shaped AS (
    SELECT
        * EXCLUDE (mark),
        CASE
            -- a structured name that the action repeats adds nothing: the action is read as it is written
            WHEN source_tool IS NOT NULL AND (args IS NOT NULL OR lower(source_tool) <> lower(name)) THEN 'structured'
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
            WHEN 'call' THEN trim(substr(text, length(name) + 2, length(text) - length(name) - 2))
            WHEN 'colon' THEN trim(substr(text, length(name) + 2))
            WHEN 'structured' THEN coalesce(args, '')
        END AS rest
    FROM shaped
)
SELECT
    id, trajectory_id, step, call, is_copied, text, shape,
    CASE
        WHEN shape IN ('empty', 'malformed') THEN NULL
        WHEN shape = 'swap' THEN 'swap'
        ELSE coalesce(source_tool, nullif(name, ''))
    END AS tool,
    family, rest,
    -- one cast decodes all strings; what is no JSON object, or repeats a key, has no map
    try_cast(
        CASE
            WHEN args_json IS NOT NULL THEN args_json
            WHEN starts_with(rest, '{') AND ends_with(rest, '}') THEN try_cast(rest AS JSON)
        END AS MAP(VARCHAR, VARCHAR)
    ) AS args
FROM argued
LEFT JOIN vocabulary.tools ON tools.tool = lower(coalesce(source_tool, nullif(name, '')));
