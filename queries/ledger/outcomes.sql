-- purpose: the outcome of each call, the span of the observation that supports it, and the error text of failures
-- makes: outcomes(id, outcome, quote, error, exit_code, receipt, confirmed)
CREATE OR REPLACE TEMP TABLE outcomes AS
WITH footers AS (
    SELECT list(E'\n' || opening) || list(opening) AS openings FROM vocabulary.status_lines
),
told AS (
    SELECT
        id, observation, is_error, evidence.exit_code, code_quote, code_opens, receipt, receipt_quote, error_at,
        family = 'shell' AS is_shell,
        CASE WHEN error_at = 'value' THEN coalesce(
            nullif(regexp_extract(left(observation, 4000), '(?s)["'']error["'']: ?"((?:[^"\\]|\\.)*)"', 1), ''),
            nullif(regexp_extract(left(observation, 4000), '(?s)["'']error["'']: ?''((?:[^''\\]|\\.)*)''', 1), '')
        ) END AS error_value,
        evidence.outcome AS receipt_outcome
    FROM evidence
    JOIN calls USING (id)
    JOIN steps ON steps.rowid = calls.id
    WHERE steps.trajectory_id IN (SELECT trajectory_id FROM touched)
),
judged AS (
    SELECT
        * REPLACE (CASE WHEN error_at = 'value' AND error_value IS NULL THEN NULL ELSE receipt_outcome END AS receipt_outcome),
        CASE
            WHEN exit_code <> 0 THEN 'failure'
            WHEN is_error THEN 'failure'
            WHEN exit_code = 0 THEN 'success'
            WHEN error_at = 'value' AND error_value IS NULL THEN 'unknown'
            WHEN receipt_outcome IS NOT NULL THEN receipt_outcome
            WHEN is_error = false THEN 'success'
            ELSE 'unknown'
        END AS outcome
    FROM told
),
quoted AS (
    -- the code where the log states it in words, else the receipt if it says the same
    SELECT
        *,
        CASE
            WHEN outcome = 'unknown' THEN NULL
            WHEN code_quote IS NOT NULL AND (exit_code <> 0) = (outcome = 'failure') THEN code_quote
            WHEN receipt_outcome = outcome THEN receipt_quote
        END AS quote
    FROM judged
),
output AS (
    -- what a failed command printed, without the lines that its tool added
    SELECT
        id,
        right(
            left(observation, coalesce(
                list_min(list_filter(list_transform(openings, lambda opening: strpos(observation, opening)), lambda place: place > 0)) - 1,
                length(observation)
            )),
            4000
        ) AS output
    FROM judged, footers
    WHERE outcome = 'failure' AND is_shell AND receipt_outcome IS DISTINCT FROM 'failure'
),
complaints AS (
    SELECT
        id, output,
        regexp_extract_all(
            output, '(?m)^\s*((?:\w+\.)*\w*(?:Error|Exception|Exit|Interrupt|Fault)\b:?.*|(?:[\w./-]+: )*(?:error|fatal|ERROR|FATAL)(?: |:).*|E   \S.*)$', 1
        ) AS found
    FROM output
),
lines AS (
    SELECT
        id, outcome, quote, exit_code, receipt, error_value, error_at, code_opens, code_quote, observation,
        found[-1] AS complaint, output,
        ltrim(left(observation, 4000), E' \n\r\t') AS head
    FROM quoted
    LEFT JOIN complaints USING (id)
)
SELECT
    id, outcome, exit_code, receipt,
    CASE WHEN quote IS NOT NULL THEN struct_pack(
        "text" := quote,
        "start" := CASE
            WHEN quote = code_quote AND NOT code_opens
                THEN length(observation) - strpos(reverse(observation), reverse(quote)) + 1 - length(quote)
            ELSE strpos(observation, quote) - 1
        END,
        "end" := CASE
            WHEN quote = code_quote AND NOT code_opens
                THEN length(observation) - strpos(reverse(observation), reverse(quote)) + 1
            ELSE strpos(observation, quote) - 1 + length(quote)
        END
    ) END AS quote,
    CASE WHEN outcome = 'failure' THEN nullif(trim(left(CASE
        WHEN error_at = 'value' THEN split_part(replace(error_value, '\n', E'\n'), E'\n', 1)
        WHEN error_at = 'line 2' AND trim(split_part(head, E'\n', 2)) <> '' THEN split_part(head, E'\n', 2)
        WHEN error_at IS NOT NULL THEN split_part(head, E'\n', 1)
        WHEN complaint IS NOT NULL THEN complaint
        ELSE split_part(ltrim(coalesce(output, head), E' \n\r\t'), E'\n', 1)
    END, 1000), E' \n\r\t'), '') END AS error
FROM lines;
