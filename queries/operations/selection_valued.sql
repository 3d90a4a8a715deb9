-- purpose: what was selected, by outcome and, of failures, error text; and the rows without a value
-- params:
-- columns: outcome VARCHAR, error VARCHAR, count BIGINT, steps BIGINT[], without_value BIGINT
SELECT
    outcome,
    CASE WHEN outcome = 'failure' THEN error END AS error,
    count(*) AS count,
    list(step) AS steps,
    count(*) FILTER (WHERE len(list_filter(keys, lambda k: k <> '')) = 0) AS without_value
FROM valued
GROUP BY ALL
