-- purpose: what each observation says of the outcome: the longest matching receipt, and the exit code
-- makes: evidence(id, exit_code, code_quote, receipt, outcome, error_at, receipt_quote, is_running)
CREATE OR REPLACE TEMP TABLE evidence AS
WITH running AS (
    SELECT list(opening) AS openings FROM vocabulary.status_lines WHERE meaning = 'running'
),
observed AS (
    SELECT
        calls.id, calls.tool, family, keys, targets, paths[1] AS path, steps.exit_code, observation,
        ltrim(left(observation, 1000), E' \n\r\t') AS head
    FROM calls
    JOIN acts USING (id)
    JOIN steps ON steps.rowid = calls.id
    WHERE act IS NOT NULL AND act <> 'malformed' AND observation IS NOT NULL AND steps.trajectory_id IN (SELECT trajectory_id FROM touched)
),
keyed AS (
    SELECT id, tool, targets, path, head, unnest(keys) AS key, lower(left(head, 3)) AS lead
    FROM observed
    WHERE head <> ''
),
known AS (
    SELECT *, lower(left(opening, 3)) AS lead FROM vocabulary.receipts
),
matched AS (
    SELECT id, receipt, outcome, error_at, head, vocabulary.filled(opening, targets, path, tool) AS opening
    FROM keyed
    JOIN known ON known.applies_to = keyed.key AND known.lead = keyed.lead
    WHERE starts_with(lower(head), lower(vocabulary.filled(opening, targets, path, tool)))
),
receipts AS (
    SELECT
        id,
        max_by(receipt, length(opening)) AS receipt,
        max_by(outcome, length(opening)) AS outcome,
        max_by(error_at, length(opening)) AS error_at,
        max_by(left(head, length(opening)), length(opening)) AS receipt_quote
    FROM matched
    GROUP BY id
),
commands AS (
    -- a code that opens the observation, else the last one; the end of a long observation nearly always has it
    SELECT
        id, exit_code AS stated, observation,
        right(observation, 400) AS tail,
        regexp_extract(left(observation, 200), '(?m)^(?:<returncode>|Process exited with code |Exit code )-?\d+') AS opening_code,
        len(list_filter(openings, lambda opening: contains(right(observation, 400), opening))) > 0 AS is_running
    FROM observed, running
    WHERE family = 'shell'
),
last_codes AS (
    SELECT
        id, stated, opening_code, is_running,
        CASE
            WHEN opening_code <> '' THEN opening_code
            WHEN contains(tail, 'exit code ') AND regexp_matches(tail, 'exit code -?\d') THEN regexp_extract(tail, '(?s).*(exit code -?\d+)', 1)
            WHEN NOT is_running AND contains(observation, 'exit code ') THEN regexp_extract(observation, '(?s).*(exit code -?\d+)', 1)
            ELSE ''
        END AS code_quote
    FROM commands
)
SELECT
    id,
    coalesce(observed.exit_code, try_cast(regexp_extract(code_quote, '-?\d+$') AS BIGINT)) AS exit_code,
    nullif(code_quote, '') AS code_quote,
    opening_code <> '' AS code_opens,
    coalesce(is_running, false) AS is_running,
    receipt, outcome, error_at, receipt_quote
FROM observed
LEFT JOIN last_codes USING (id)
LEFT JOIN receipts USING (id);
