-- purpose: the state history of objects, in order of time: every recorded change with its action
-- params: trajectory_id VARCHAR, object VARCHAR
-- columns: trajectory_id VARCHAR, step BIGINT, object VARCHAR, property VARCHAR, old_value VARCHAR, new_value VARCHAR, action VARCHAR
WITH changed AS (
    SELECT trajectory_id, step, call, raw, unnest(changes) AS change
    FROM ledger
    WHERE NOT is_copied AND ($trajectory_id IS NULL OR trajectory_id = $trajectory_id)
)
SELECT
    trajectory_id, step, change.object AS object, change.property AS property,
    lag(change."value") OVER (PARTITION BY trajectory_id, lower(change.object), change.property ORDER BY step, call) AS old_value,
    change."value" AS new_value,
    left(raw, 200) AS action
FROM changed
WHERE $object IS NULL OR lower(change.object) = lower($object)
ORDER BY trajectory_id, object, step, call;
