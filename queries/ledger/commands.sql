-- purpose: the program that each shell command is about, and the paths it names outside quotes
-- makes: commands(id, program, paths)
CREATE OR REPLACE TEMP TABLE commands AS
WITH words AS (
    SELECT
        list(word) FILTER (role = 'prelude') AS preludes,
        list(word) FILTER (role = 'wrapper') AS wrappers,
        list(word) FILTER (role = 'interpreter') AS interpreters
    FROM vocabulary.shell_words
),
suffixes AS (
    SELECT list(suffix) AS known FROM vocabulary.file_suffixes
),
lines AS (
    -- text that begins as JSON but could not be read is no command; a group of commands has a space after its brace
    SELECT id, coalesce(command, CASE WHEN args IS NULL AND NOT regexp_matches(rest, '^(\{\S|\[[^\s\[])') THEN rest END) AS line
    FROM calls
    LEFT JOIN arguments USING (id)
    WHERE family = 'shell'
),
bare AS (
    -- quoted text and here-documents hold neither programs nor paths
    SELECT
        id,
        regexp_replace(
            CASE WHEN contains(line, '<<') THEN regexp_replace(line, '(?s)(<<-?\s*[\\''"]?\w[^\n]*)\n.*', '\1') ELSE line END,
            '''[^'']*''|"(?:[^"\\]|\\.)*"', '""', 'gs'
        ) AS line
    FROM lines
    WHERE line IS NOT NULL
),
segments AS (
    SELECT id, line, list_transform(regexp_split_to_array(line, '&&|\|\||[;|\n]'), lambda part: trim(part, E' \t(\r')) AS parts
    FROM bare
),
commanding AS (
    -- the first segment that does more than prepare, else the first
    SELECT
        id, line,
        regexp_split_to_array(
            coalesce(
                list_filter(parts, lambda part: part <> '' AND NOT starts_with(part, '#') AND NOT list_contains(preludes, split_part(part, ' ', 1))
                    AND NOT regexp_full_match(part, '(\w+=\S*\s*)+'))[1],
                parts[1]
            ),
            '\s+'
        ) AS tokens
    FROM segments, words
),
started AS (
    SELECT
        id, line, tokens, interpreters,
        list_position(
            list_transform(tokens, lambda token: NOT (
                list_contains(wrappers, token) OR starts_with(token, '-') OR regexp_full_match(token, '\w+=.*|\d+(\.\d+)?[smhd]?')
            )),
            true
        ) AS place
    FROM commanding, words
),
run AS (
    SELECT
        id, line,
        CASE
            WHEN list_contains(interpreters, regexp_extract(tokens[place], '[^/]+$')) AND tokens[place + 1] = '-m' THEN tokens[place + 2]
            ELSE regexp_extract(coalesce(tokens[place], tokens[1]), '[^/]+$')
        END AS program
    FROM started
),
worded AS (
    -- only words with a slash or a dot can be paths; the dearer tests see no others
    SELECT
        id, program,
        list_filter(
            regexp_split_to_array(line, '[\s;|&<>()=`{},"]+'),
            lambda token: (contains(token, '/') OR contains(token, '.')) AND NOT starts_with(token, '-') AND NOT starts_with(token, '/dev/')
        ) AS tokens
    FROM run
),
trimmed AS (
    SELECT id, program, list_transform(tokens, lambda token: regexp_replace(token, '(::.*|:\d+(-\d+)?|:)$', '')) AS tokens
    FROM worded
)
SELECT
    id,
    -- names only: what else stands in the place of one tells that the line was not understood
    nullif(regexp_extract(program, '^([\pL\pN_.+][\pL\pN_.+@-]*|\[\[?)\)*$', 1), '') AS program,
    vocabulary.mentions(list_filter(tokens, lambda token: CASE
        WHEN contains(token, '/') THEN regexp_matches(token, '[\w.~]') AND NOT regexp_matches(token, '^s/|[\\^$*\[]')
        ELSE list_contains(known, regexp_extract(token, '\w\.(\w+)$', 1))
    END)) AS paths
FROM trimmed, suffixes;
