-- purpose: the longest stretches of consecutive events that are all selected and have the same value
-- params: trajectory_id VARCHAR, limit BIGINT
-- columns: key VARCHAR, count BIGINT, steps BIGINT[], outcomes MAP(VARCHAR, UBIGINT), total BIGINT
WITH events AS (
    SELECT step, call, row_number() OVER (ORDER BY step, call) AS place
    FROM ledger
    WHERE trajectory_id = $trajectory_id AND act IS NOT NULL AND NOT is_copied
),
placed AS (
    SELECT
        step,
        call,
        outcome,
        array_to_string(list_filter(keys, lambda k: k <> ''), ', ') AS key,
        place
    FROM valued
    INNER JOIN events USING (step, call)
),
stretched AS (
    -- Within a run, place and the rank among rows of the same value grow together.
    SELECT *, place - row_number() OVER (PARTITION BY lower(key) ORDER BY place) AS stretch
    FROM placed
    WHERE key <> ''
)
SELECT
    arg_min(key, place) AS key,
    count(*) AS count,
    list_sort(list_distinct(list(step))) AS steps,
    histogram(outcome) AS outcomes,
    count(*) OVER () AS total
FROM stretched
GROUP BY lower(key), stretch
ORDER BY count DESC, min(place)
LIMIT $limit
