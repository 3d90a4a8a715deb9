-- purpose: the most frequent value and its ties, or with a limit the so many most frequent; total counts all values
-- params: limit BIGINT
-- columns: key VARCHAR, count BIGINT, steps BIGINT[], outcomes MAP(VARCHAR, UBIGINT), total BIGINT
SELECT key, count, steps, outcomes, count(*) OVER () AS total
FROM counted
QUALIFY
    CASE
        WHEN CAST($limit AS BIGINT) IS NULL THEN rank() OVER (ORDER BY count DESC) = 1
        ELSE row_number() OVER (ORDER BY count DESC, first_seen) <= CAST($limit AS BIGINT)
    END
ORDER BY count DESC, first_seen
