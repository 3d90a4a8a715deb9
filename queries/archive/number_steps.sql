-- purpose: the final step and call of each staged row that is not empty
-- The source's own numbers stand where (step, call) increases; otherwise the whole trajectory is
-- numbered by position in the file, where a call that follows its predecessor shares its step.
CREATE OR REPLACE TEMP TABLE numbered_steps AS
WITH neighbours AS (
    SELECT
        position, trajectory_id, step, call,
        action IS NULL AND observation IS NULL AND tool IS NULL AND args IS NULL AS is_empty,
        lag(step) OVER in_file AS step_before,
        lag(call) OVER in_file AS call_before
    FROM incoming_steps
    WINDOW in_file AS (PARTITION BY trajectory_id ORDER BY position)
),
judged AS (
    SELECT
        *,
        coalesce(step IS NULL OR step < step_before OR (step = step_before AND call <= call_before), false)
            AS is_out_of_order,
        coalesce(step IS DISTINCT FROM step_before OR call <= call_before, true) AS starts_step
    FROM neighbours
),
positioned AS (
    SELECT
        *,
        bool_or(is_out_of_order) OVER (PARTITION BY trajectory_id) AS is_renumbered,
        sum(starts_step::BIGINT) OVER (PARTITION BY trajectory_id ORDER BY position) - 1 AS place
    FROM judged
)
SELECT
    position,
    trajectory_id,
    is_renumbered,
    CASE WHEN is_renumbered THEN place ELSE step END::BIGINT AS step,
    call,
    CASE WHEN is_renumbered THEN step::VARCHAR END AS original_step,
    row_number() OVER (PARTITION BY trajectory_id ORDER BY position) AS rank
FROM positioned
WHERE NOT is_empty
