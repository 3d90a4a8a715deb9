-- purpose: exit codes over time, each with how many failures in a row it ends
-- params: trajectory_id VARCHAR
-- columns: trajectory_id VARCHAR, step BIGINT, act VARCHAR, exit_code BIGINT, failures_in_a_row BIGINT, error VARCHAR
WITH coded AS (
    SELECT
        *,
        count(*) FILTER (exit_code = 0) OVER (PARTITION BY trajectory_id ORDER BY step, call ROWS UNBOUNDED PRECEDING) AS successes
    FROM ledger
    WHERE exit_code IS NOT NULL AND NOT is_copied AND ($trajectory_id IS NULL OR trajectory_id = $trajectory_id)
)
SELECT
    trajectory_id, step, act, exit_code,
    count(*) FILTER (exit_code <> 0) OVER (PARTITION BY trajectory_id, successes ORDER BY step, call ROWS UNBOUNDED PRECEDING) AS failures_in_a_row,
    error
FROM coded
ORDER BY trajectory_id, step, call;
