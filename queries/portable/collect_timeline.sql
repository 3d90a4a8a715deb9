-- purpose: one row per event of each timeline, in order
-- params:
-- columns: query_id BIGINT, step BIGINT, tool VARCHAR, outcome VARCHAR, changes VARCHAR[], raw VARCHAR
SELECT
    found.query_id, found.step, found.tool, found.outcome,
    coalesce(list(changes.key ORDER BY changes."position") FILTER (changes.key IS NOT NULL), []) AS changes,
    found.raw
FROM found
LEFT JOIN changes USING (query_id, step, "call")
WHERE found.query_id IN (SELECT query_id FROM timelines)
GROUP BY found.query_id, found.step, found."call", found.tool, found.outcome, found.raw
ORDER BY found.query_id, found.step, found."call"
