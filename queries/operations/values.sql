-- purpose: the values in order, a value again only after a different one; pick takes one of them, from 1 or from -1 at the end
-- params: pick BIGINT, limit BIGINT
-- columns: key VARCHAR, count BIGINT, steps BIGINT[], outcomes MAP(VARCHAR, UBIGINT), total BIGINT
WITH placed AS (
    SELECT *, row_number() OVER (ORDER BY step, call, position) AS place FROM keyed
),
differing AS (
    -- compared exactly: True and true are two values
    SELECT *, key IS DISTINCT FROM lag(key) OVER (ORDER BY place) AS differs FROM placed
),
numbered AS (
    SELECT *, count(*) FILTER (differs) OVER (ORDER BY place) AS turn FROM differing
),
held AS (
    SELECT turn, step, call, any_value(key) AS key, any_value(outcome) AS outcome
    FROM numbered
    GROUP BY turn, step, call
)
SELECT
    any_value(key) AS key,
    count(*) AS count,
    list(DISTINCT step ORDER BY step) AS steps,
    histogram(outcome) AS outcomes,
    count(*) OVER () AS total
FROM held
GROUP BY turn
QUALIFY
    CASE
        WHEN CAST($pick AS BIGINT) IS NULL THEN true
        WHEN CAST($pick AS BIGINT) > 0 THEN turn = CAST($pick AS BIGINT)
        ELSE turn = count(*) OVER () + 1 + CAST($pick AS BIGINT)
    END
ORDER BY turn
LIMIT $limit
