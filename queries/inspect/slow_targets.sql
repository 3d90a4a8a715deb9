-- purpose: targets that stayed unchanged longest although they were acted on: steps per state change
-- params: trajectory_id VARCHAR
-- columns: trajectory_id VARCHAR, target VARCHAR, events BIGINT, changes BIGINT, first_step BIGINT, last_step BIGINT, steps_per_change DOUBLE
WITH mentions AS (
    SELECT
        trajectory_id, step, target,
        len(list_filter(changes, lambda change: lower(change.object) = lower(target))) AS changes
    FROM ledger, unnest(targets) AS named(target)
    WHERE act IS NOT NULL AND NOT is_copied AND ($trajectory_id IS NULL OR trajectory_id = $trajectory_id)
)
SELECT
    trajectory_id, target, count(*) AS events, sum(changes)::BIGINT AS changes,
    min(step) AS first_step, max(step) AS last_step,
    (max(step) - min(step) + 1) / nullif(sum(changes), 0)::DOUBLE AS steps_per_change
FROM mentions
GROUP BY trajectory_id, target
HAVING count(*) > 1
ORDER BY steps_per_change DESC NULLS LAST, events DESC, trajectory_id, target;
