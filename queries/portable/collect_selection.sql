-- purpose: what each sub-query selects, by outcome and, of failures, error text
-- params:
-- columns: query_id BIGINT, outcome VARCHAR, error VARCHAR, count BIGINT, steps BIGINT[]
SELECT
    query_id,
    outcome,
    CASE WHEN outcome = 'failure' THEN error END AS error,
    count(*) AS count,
    list(step) AS steps
FROM found
GROUP BY ALL
