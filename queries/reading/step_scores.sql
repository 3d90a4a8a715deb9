-- purpose: the steps in scope or named, with their position in the trajectory and the terms they share with a question
-- params: trajectory_id VARCHAR, lo BIGINT, hi BIGINT, named BIGINT[], pattern VARCHAR
-- columns: step BIGINT, place BIGINT, in_scope BOOLEAN, calls BIGINT, shared BIGINT
WITH calls AS (
    SELECT
        step,
        dense_rank() OVER (ORDER BY step) AS place,
        coalesce(step >= $lo::BIGINT, true) AND coalesce(step <= $hi::BIGINT, true) AS in_scope,
        action, observation
    FROM steps
    WHERE trajectory_id = $trajectory_id
)
SELECT
    step,
    any_value(place) AS place,
    any_value(in_scope) AS in_scope,
    count(*) AS calls,
    -- one pass over the text finds all terms
    len(list_distinct(flatten(list(
        regexp_extract_all(lower(concat_ws(' ', action, observation)), $pattern)
    )))) AS shared
FROM calls
WHERE in_scope OR list_contains($named::BIGINT[], step)
GROUP BY step
ORDER BY step
