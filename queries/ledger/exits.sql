-- purpose: the exit codes that observations of shell commands state, and what failed commands complain of
-- makes: exits(id, exit_code, quote, quote_start, complaint)
CREATE OR REPLACE TEMP TABLE exits AS
WITH status AS (
    SELECT
        list(opening) FILTER (meaning <> 'header') AS lines,
        list(opening) FILTER (meaning = 'header') AS headers,
        list(opening) FILTER (meaning = 'running') AS running
    FROM vocabulary.status_lines
),
ends AS (
    -- IN, not a join, so that observations stream past the ids
    SELECT
        rowid AS id, observation, length(observation) AS size, exit_code AS stated_code,
        right(observation, 400) AS tail,
        coalesce(
            nullif(regexp_extract(left(observation, 200), '(?m)^(?:<returncode>|Process exited with code |Exit code:? )-?\d+'), ''),
            regexp_extract(right(observation, 400), '(?m)^Exit Code: -?\d+')
        ) AS opening_code
    FROM steps
    WHERE rowid IN (SELECT id FROM calls WHERE family = 'shell') AND observation IS NOT NULL
),
searched AS (
    -- a code that opens the observation, else the last one; nearly always the end has it
    SELECT
        *,
        CASE
            WHEN opening_code <> '' THEN NULL
            WHEN contains(tail, 'exit code ') AND regexp_matches(tail, 'exit code -?\d') THEN tail
            WHEN len(list_filter(running, lambda line: contains(tail, line))) = 0 AND contains(observation, 'exit code ') THEN observation
        END AS place
    FROM ends, status
),
found AS (
    SELECT *, string_split(place, 'exit code ')[-1] AS rest FROM searched
),
quoted AS (
    -- the last mention is nearly always followed by its number; where it is not, a regex looks for an earlier one
    SELECT
        *,
        CASE
            WHEN opening_code <> '' THEN opening_code
            WHEN regexp_matches(rest, '^-?\d') THEN 'exit code ' || regexp_extract(rest, '^-?\d+')
            ELSE nullif(regexp_extract(place, '(?s)^.*(exit code -?\d+)', 1), '')
        END AS quote,
        CASE
            WHEN opening_code <> '' THEN strpos(observation, opening_code) - 1
            WHEN regexp_matches(rest, '^-?\d') THEN size - length(rest) - length('exit code ')
            ELSE size - length(place) + length(regexp_extract(place, '(?s)^(.*)exit code -?\d', 1))
        END AS quote_start
    FROM found
),
coded AS (
    SELECT *, coalesce(stated_code, try_cast(regexp_extract(quote, '-?\d+$') AS BIGINT)) AS exit_code FROM quoted
),
printed AS (
    -- the end of what a failed command printed, up to the first of the lines that its tool added
    SELECT
        id, exit_code, quote, quote_start, lines, headers,
        CASE WHEN exit_code <> 0 THEN right(observation, 4000) END AS output,
        CASE WHEN exit_code <> 0 AND size > 4000 THEN left(observation, 600) END AS beginning
    FROM coded
),
cut AS (
    SELECT
        * EXCLUDE (output, lines),
        left(output, coalesce(
            list_min(list_filter(list_transform(lines, lambda line: strpos(output, line)), lambda start: start > 0)) - 1, 4000
        )) AS output
    FROM printed
),
headless AS (
    -- without the lines that the tool put ahead
    SELECT
        id, exit_code, quote, quote_start,
        array_to_string(list_filter(string_split(output, E'\n'), lambda line:
            len(list_filter(headers, lambda lead: starts_with(line, lead))) = 0
        ), E'\n') AS output,
        array_to_string(list_filter(string_split(beginning, E'\n'), lambda line:
            len(list_filter(headers, lambda lead: starts_with(line, lead))) = 0
        ), E'\n') AS beginning
    FROM cut
)
SELECT
    id, exit_code, quote, CASE WHEN quote IS NOT NULL THEN quote_start END AS quote_start,
    coalesce(
        -- the last line that names an error: SomeError: text, module.Exception: text, error: text, or pytest's E
        regexp_replace(
            regexp_extract_all(
                output,
                '(?m)^\s*((?:E  )?\s*(?:\w+\.)*\w*(?:Error|Exception|Exit|Interrupt|Fault)\b:?.*|(?:[a-z_]\w*\.)+[A-Z]\w+: .*'
                || '|(?:[\w./-]+: )*(?:error|fatal|ERROR|FATAL)(?: |:).*|E   \S.*)$', 1
            )[-1],
            '^E +', ''
        ),
        -- else the first line with words
        regexp_extract(coalesce(beginning, output), '(?m)^.*[[:alpha:]]{2}.*$')
    ) AS complaint
FROM headless;
