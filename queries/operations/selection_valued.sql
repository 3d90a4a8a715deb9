-- purpose: what was selected, and how many rows have no value
-- params: 
-- columns: matched BIGINT, steps BIGINT[], outcomes MAP(VARCHAR, UBIGINT), errors MAP(VARCHAR, UBIGINT), without_value BIGINT
SELECT
    count(*) AS matched,
    coalesce(list(DISTINCT step ORDER BY step), []) AS steps,
    histogram(outcome) AS outcomes,
    histogram(error) FILTER (WHERE outcome = 'failure') AS errors,
    count(*) FILTER (WHERE len(list_filter(keys, lambda k: k <> '')) = 0) AS without_value
FROM valued
