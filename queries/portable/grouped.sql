-- purpose: the values of group, distinct, top and count with `by`, one row per value and event
-- params:
-- columns: query_id BIGINT, place BIGINT, key VARCHAR, total BIGINT, step BIGINT, call INTEGER, outcome VARCHAR
WITH held AS (
    -- An event counts once a value, however often it has it.
    SELECT query_id, folded, step, call, outcome, min(position) AS position
    FROM keyed
    GROUP BY query_id, folded, step, call, outcome
),
numbered AS (
    SELECT
        query_id, folded, step, call, position,
        count(*) OVER (PARTITION BY query_id, folded) AS events,
        row_number() OVER (PARTITION BY query_id, folded ORDER BY step, call, position) AS mention
    FROM held
),
spelled AS (
    SELECT numbered.*, keyed.key
    FROM numbered
    INNER JOIN keyed
        ON
            numbered.query_id = keyed.query_id
            AND numbered.step = keyed.step
            AND numbered.call = keyed.call
            AND numbered.position = keyed.position
            AND numbered.folded = keyed.folded
    WHERE numbered.mention = 1
),
ranked AS (
    SELECT
        spelled.query_id, spelled.folded, spelled.key, spelled.events,
        selections.op, selections.most,
        count(*) OVER (PARTITION BY spelled.query_id) AS total,
        max(spelled.events) OVER (PARTITION BY spelled.query_id) AS highest,
        row_number() OVER (
            PARTITION BY spelled.query_id
            ORDER BY
                CASE WHEN selections.op = 'distinct' THEN 0 ELSE spelled.events END DESC,
                spelled.step, spelled.call, spelled.position
        ) AS place
    FROM spelled
    INNER JOIN selections ON spelled.query_id = selections.query_id AND selections.part = 'where'
    WHERE selections.op IN ('group', 'distinct', 'top', 'count')
)
SELECT ranked.query_id, ranked.place, ranked.key, ranked.total, held.step, held.call, held.outcome
FROM ranked
INNER JOIN held ON ranked.query_id = held.query_id AND ranked.folded = held.folded
WHERE
    ranked.place <= ranked.most
    AND (ranked.op <> 'top' OR ranked.most < 4611686018427387904 OR ranked.events = ranked.highest)
