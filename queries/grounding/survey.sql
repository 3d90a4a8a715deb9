-- purpose: what grounding and selection find in one pass over rows marked with what they satisfy
-- params: 
-- columns: known_outcomes BIGINT, known_exit_codes BIGINT, matched BIGINT, steps BIGINT[], outcomes VARCHAR[], errors VARCHAR[]
-- Lists, not histograms, which take longer to plan than all the rest.
SELECT
    count(*) FILTER (WHERE outcome <> 'unknown') AS known_outcomes,
    count(exit_code) AS known_exit_codes,
    count(*) FILTER (WHERE chosen) AS matched,
    list(step) FILTER (WHERE chosen) AS steps,
    list(outcome) FILTER (WHERE chosen) AS outcomes,
    list(error) FILTER (WHERE chosen AND outcome = 'failure' AND error <> '') AS errors
FROM surveyed
