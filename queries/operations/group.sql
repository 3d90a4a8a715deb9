-- purpose: the values of the selected rows, frequent first, then by first mention; total counts those beyond the limit too
-- params: limit BIGINT
-- columns: key VARCHAR, count BIGINT, steps BIGINT[], outcomes MAP(VARCHAR, UBIGINT), total BIGINT
SELECT key, count, steps, outcomes, count(*) OVER () AS total
FROM counted
ORDER BY count DESC, first_seen
LIMIT $limit
