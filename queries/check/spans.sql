-- purpose: spans of file events that reach beyond their text, or do not hold what they are said to
-- columns: trajectory_id VARCHAR, step BIGINT, problem VARCHAR
WITH spans AS (
    SELECT 'path' AS place, trajectory_id, step, call, path_span AS span FROM file_events
    UNION ALL SELECT 'command', trajectory_id, step, call, command_span FROM file_events
    UNION ALL SELECT 'observation', trajectory_id, step, call, observation_span FROM file_events
)
SELECT trajectory_id, step, 'the span of a file event''s ' || place || ' reaches beyond the text' AS problem
FROM spans JOIN steps USING (trajectory_id, step, call)
WHERE span."start" < 0 OR span."end" < span."start"
    OR span."end" > coalesce(length(CASE span.field WHEN 'action' THEN action ELSE observation END), 0)
