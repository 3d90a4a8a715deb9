-- purpose: runs of the same action repeated without another in between, longest first
-- params: trajectory_id VARCHAR, at_least BIGINT
-- columns: trajectory_id VARCHAR, first_step BIGINT, last_step BIGINT, times BIGINT, action VARCHAR, outcomes VARCHAR[]
WITH numbered AS (
    SELECT
        *,
        row_number() OVER (PARTITION BY trajectory_id ORDER BY step, call)
            - row_number() OVER (PARTITION BY trajectory_id, raw ORDER BY step, call) AS run
    FROM ledger
    WHERE act IS NOT NULL AND NOT is_copied AND ($trajectory_id IS NULL OR trajectory_id = $trajectory_id)
)
SELECT
    trajectory_id, min(step) AS first_step, max(step) AS last_step, count(*) AS times,
    left(raw, 200) AS action, list_sort(list(DISTINCT outcome)) AS outcomes
FROM numbered
GROUP BY trajectory_id, raw, run
HAVING count(*) >= coalesce($at_least::BIGINT, 2)
ORDER BY times DESC, trajectory_id, first_step;
