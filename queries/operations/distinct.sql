-- purpose: the values of the selected rows in order of first mention; total counts those beyond the limit too
-- params: limit BIGINT
-- columns: key VARCHAR, count BIGINT, steps BIGINT[], outcomes MAP(VARCHAR, UBIGINT), total BIGINT
SELECT key, count, steps, outcomes, count(*) OVER () AS total
FROM counted
ORDER BY first_seen
LIMIT $limit
