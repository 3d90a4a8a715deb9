-- purpose: the events of a trajectory in order, one line each
-- params: trajectory_id VARCHAR, first_step BIGINT, last_step BIGINT
-- columns: trajectory_id VARCHAR, step BIGINT, call INTEGER, act VARCHAR, targets VARCHAR[], outcome VARCHAR, exit_code BIGINT, changes VARCHAR[], error VARCHAR
SELECT
    trajectory_id, step, call, act, targets, outcome, exit_code,
    list_transform(changes, lambda change: change.object || '.' || change.property || ' → ' || change."value") AS changes,
    error
FROM ledger
WHERE act IS NOT NULL AND NOT is_copied
    AND ($trajectory_id IS NULL OR trajectory_id = $trajectory_id)
    AND ($first_step::BIGINT IS NULL OR step >= $first_step)
    AND ($last_step::BIGINT IS NULL OR step <= $last_step)
ORDER BY trajectory_id, step, call;
