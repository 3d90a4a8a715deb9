-- purpose: what grounding and selection find in one pass over rows marked with what they satisfy
-- params: 
-- columns: known_outcomes BIGINT, known_exit_codes BIGINT, matched BIGINT, steps BIGINT[], outcomes MAP(VARCHAR, UBIGINT), errors MAP(VARCHAR, UBIGINT), valued BIGINT
SELECT
    count(*) FILTER (WHERE outcome <> 'unknown') AS known_outcomes,
    count(exit_code) AS known_exit_codes,
    count(*) FILTER (WHERE chosen) AS matched,
    list(step) FILTER (WHERE chosen) AS steps,
    histogram(outcome) FILTER (WHERE chosen) AS outcomes,
    histogram(error) FILTER (WHERE chosen AND outcome = 'failure') AS errors,
    count(*) FILTER (WHERE chosen AND has_value) AS valued
FROM surveyed
