-- purpose: the values in order, a value again only after a different one, one row per value and event
-- params:
-- columns: query_id BIGINT, place BIGINT, key VARCHAR, total BIGINT, step BIGINT, call INTEGER, outcome VARCHAR
WITH placed AS (
    SELECT
        keyed.query_id, keyed.step, keyed.call, keyed.outcome, keyed.key, selections.pick, selections.most,
        row_number() OVER (
            PARTITION BY keyed.query_id ORDER BY keyed.step, keyed.call, keyed.position
        ) AS place
    FROM keyed
    INNER JOIN selections ON keyed.query_id = selections.query_id AND selections.part = 'where'
    WHERE selections.op = 'values'
),
compared AS (
    SELECT
        placed.*,
        lag(key) OVER (PARTITION BY query_id ORDER BY place) AS previous
    FROM placed
),
numbered AS (
    -- Compared exactly: True and true are two values.
    SELECT
        compared.*,
        CAST(sum(CASE WHEN previous IS NULL OR key <> previous THEN 1 ELSE 0 END) OVER (
            PARTITION BY query_id ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS BIGINT) AS turn
    FROM compared
),
counted AS (
    SELECT query_id, max(turn) AS total
    FROM numbered
    GROUP BY query_id
)
SELECT DISTINCT
    numbered.query_id, numbered.turn AS place, numbered.key, counted.total,
    numbered.step, numbered.call, numbered.outcome
FROM numbered
INNER JOIN counted ON numbered.query_id = counted.query_id
WHERE
    (numbered.pick = 0 AND numbered.turn <= numbered.most)
    OR numbered.turn = numbered.pick
    OR numbered.turn = counted.total + 1 + numbered.pick
