-- purpose: the outcome of each call, the span of the observation that supports it, and the error text of failures
-- makes: outcomes(id, outcome, quote, error, exit_code, receipt)
CREATE OR REPLACE TEMP TABLE outcomes AS
WITH told AS (
    SELECT
        openings.id, head, error_at, receipt,
        openings.quote AS receipt_quote, openings.quote_start AS receipt_start,
        exits.quote AS code_quote, exits.quote_start AS code_start, complaint,
        coalesce(exit_code, stated_code) AS exit_code, is_error,
        CASE WHEN error_at = 'value' THEN coalesce(
            nullif(regexp_extract(head, '(?s)["'']error["'']: ?"((?:[^"\\]|\\.)*)', 1), ''),
            nullif(regexp_extract(head, '(?s)["'']error["'']: ?''((?:[^''\\]|\\.)*)', 1), '')
        ) END AS error_value,
        openings.outcome AS receipt_outcome
    FROM openings
    LEFT JOIN exits USING (id)
),
trusted AS (
    -- an error key that holds nothing is no error
    SELECT * REPLACE (CASE WHEN error_at = 'value' AND error_value IS NULL THEN NULL ELSE receipt_outcome END AS receipt_outcome) FROM told
),
judged AS (
    SELECT
        *,
        CASE
            WHEN exit_code <> 0 OR is_error THEN 'failure'
            WHEN exit_code = 0 THEN 'success'
            WHEN receipt_outcome IS NOT NULL THEN receipt_outcome
            WHEN NOT is_error THEN 'success'
            ELSE 'unknown'
        END AS outcome
    FROM trusted
),
quoted AS (
    -- the code where the observation states it in words, else the receipt if it says the same
    SELECT
        *,
        CASE
            WHEN code_quote IS NOT NULL AND (exit_code <> 0) = (outcome = 'failure') THEN struct_pack(text := code_quote, place := code_start)
            WHEN receipt_outcome = outcome THEN struct_pack(text := receipt_quote, place := receipt_start)
        END AS quote
    FROM judged
)
SELECT
    id, outcome, exit_code, receipt,
    CASE WHEN quote IS NOT NULL THEN struct_pack("text" := quote.text, "start" := quote.place, "end" := quote.place + length(quote.text)) END AS quote,
    CASE WHEN outcome = 'failure' THEN nullif(trim(left(CASE
        WHEN receipt_outcome = 'failure' AND error_at = 'value' THEN split_part(replace(error_value, '\n', E'\n'), E'\n', 1)
        WHEN receipt_outcome = 'failure' AND error_at = 'line 2' AND trim(split_part(head, E'\n', 2)) <> ''
            THEN split_part(head, E'\n', 2)
        WHEN receipt_outcome = 'failure' THEN split_part(head, E'\n', 1)
        ELSE coalesce(complaint, split_part(head, E'\n', 1))
    END, 500), E' \n\r\t'), '') END AS error
FROM quoted;
