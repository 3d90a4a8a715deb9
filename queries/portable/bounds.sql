-- purpose: relation bounds: the event that each anchor names
-- params:
-- columns: query_id BIGINT, part VARCHAR, step BIGINT, call INTEGER
SELECT query_id, part, step, call
FROM (
    SELECT
        satisfying.query_id, satisfying.part, satisfying.step, satisfying.call, selections.pick,
        row_number() OVER (
            PARTITION BY satisfying.query_id, satisfying.part
            ORDER BY satisfying.step, satisfying.call
        ) AS from_start,
        row_number() OVER (
            PARTITION BY satisfying.query_id, satisfying.part
            ORDER BY satisfying.step DESC, satisfying.call DESC
        ) AS from_end
    FROM satisfying
    INNER JOIN selections ON satisfying.query_id = selections.query_id AND satisfying.part = selections.part
    WHERE satisfying.part <> 'where'
) AS numbered
WHERE from_start = pick OR from_end = -pick
