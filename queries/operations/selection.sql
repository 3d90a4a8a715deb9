-- purpose: what was selected: events, steps, outcomes, and the error texts of failures
-- params: 
-- columns: matched BIGINT, steps BIGINT[], outcomes MAP(VARCHAR, UBIGINT), errors MAP(VARCHAR, UBIGINT), without_value BIGINT
SELECT
    count(*) AS matched,
    coalesce(list(DISTINCT step ORDER BY step), []) AS steps,
    histogram(outcome) AS outcomes,
    histogram(error) FILTER (WHERE outcome = 'failure') AS errors,
    CAST(0 AS BIGINT) AS without_value
FROM selected
