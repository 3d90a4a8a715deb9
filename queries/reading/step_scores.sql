-- purpose: the steps of a trajectory, with their position in it and the terms that those in scope share with a question
-- params: trajectory_id VARCHAR, lo BIGINT, hi BIGINT, named BIGINT[], beyond_scope BOOLEAN, pattern VARCHAR, quotes VARCHAR[]
-- columns: step BIGINT, place BIGINT, in_scope BOOLEAN, calls BIGINT, shared BIGINT, quoted BOOLEAN
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
        CASE WHEN in_scope THEN regexp_extract_all(lower(concat_ws(' ', action, observation)), $pattern) ELSE [] END
    )))) AS shared,
    bool_or(in_scope AND len(list_filter(
        $quotes::VARCHAR[],
        lambda quote: contains(coalesce(action, ''), quote) OR contains(coalesce(observation, ''), quote)
    )) > 0) AS quoted
FROM calls
WHERE $beyond_scope::BOOLEAN OR in_scope OR list_contains($named::BIGINT[], step)
GROUP BY step
ORDER BY step
