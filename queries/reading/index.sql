-- purpose: index records of a trajectory: per step one line that says what its calls were and how long their texts are
-- params: trajectory_id VARCHAR
-- columns: step BIGINT, record VARCHAR
WITH lines AS (
    SELECT
        step, call,
        concat_ws(
            ' · ',
            left(regexp_replace(coalesce(ledger.act, ledger.tool, '(no action)'), '[\s\x{85}\x{2028}\x{2029}]+', ' ', 'g'), 120),
            -- a target can be a whole command line: one line, and not a long one
            left(regexp_replace(nullif(array_to_string(targets, ', '), ''), '[\s\x{85}\x{2028}\x{2029}]+', ' ', 'g'), 120),
            CASE WHEN outcome <> 'unknown' THEN outcome END,
            'exit code ' || ledger.exit_code,
            coalesce(length(action), 0) + coalesce(length(observation), 0) || ' characters'
        ) AS line
    FROM steps
    JOIN ledger USING (trajectory_id, step, call)
    WHERE trajectory_id = $trajectory_id
)
SELECT step, string_agg(line, ' | ' ORDER BY call) AS record
FROM lines
GROUP BY step
ORDER BY step
