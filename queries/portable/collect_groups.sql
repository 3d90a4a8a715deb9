-- purpose: the values of each sub-query with their events
-- params:
-- columns: query_id BIGINT, key VARCHAR, count BIGINT, steps BIGINT[], outcomes MAP(VARCHAR, UBIGINT), total BIGINT
SELECT
    query_id,
    any_value(key) AS key,
    count(*) AS count,
    list(DISTINCT step ORDER BY step) AS steps,
    histogram(outcome) AS outcomes,
    any_value(total) AS total
FROM found
GROUP BY query_id, place
ORDER BY query_id, place
