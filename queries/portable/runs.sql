-- purpose: the runs of consecutive selected events of one value, one row per run and event
-- params:
-- columns: query_id BIGINT, place BIGINT, key VARCHAR, total BIGINT, step BIGINT, call INTEGER, outcome VARCHAR
WITH stretched AS (
    -- Within a run, place and the rank among rows of the same value grow together.
    SELECT
        keyed.query_id, keyed.step, keyed.call, keyed.outcome, keyed.key, keyed.folded, keyed.place,
        selections.most,
        keyed.place - row_number() OVER (
            PARTITION BY keyed.query_id, keyed.folded ORDER BY keyed.place
        ) AS stretch
    FROM keyed
    INNER JOIN selections ON keyed.query_id = selections.query_id AND selections.part = 'where'
    WHERE selections.op = 'runs' AND keyed.place IS NOT NULL
),
measured AS (
    SELECT
        query_id, folded, stretch, most,
        count(*) AS events, min(place) AS start
    FROM stretched
    GROUP BY query_id, folded, stretch, most
),
ranked AS (
    SELECT
        query_id, folded, stretch, start, most,
        count(*) OVER (PARTITION BY query_id) AS total,
        row_number() OVER (PARTITION BY query_id ORDER BY events DESC, start) AS place
    FROM measured
)
SELECT
    ranked.query_id, ranked.place, spelled.key, ranked.total,
    stretched.step, stretched.call, stretched.outcome
FROM ranked
INNER JOIN stretched
    ON
        ranked.query_id = stretched.query_id
        AND ranked.folded = stretched.folded
        AND ranked.stretch = stretched.stretch
INNER JOIN stretched AS spelled ON ranked.query_id = spelled.query_id AND ranked.start = spelled.place
WHERE ranked.place <= ranked.most
