-- purpose: what was selected, by outcome and, of failures, error text
-- params:
-- columns: outcome VARCHAR, error VARCHAR, count BIGINT, steps BIGINT[], without_value BIGINT
SELECT
    outcome,
    CASE WHEN outcome = 'failure' THEN error END AS error,
    count(*) AS count,
    list(step) AS steps,
    CAST(0 AS BIGINT) AS without_value
FROM selected
GROUP BY ALL
