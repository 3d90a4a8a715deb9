-- purpose: one row per selected event, in order; the changes are in texts
-- params:
-- columns: step BIGINT, tool VARCHAR, outcome VARCHAR, raw VARCHAR
SELECT step, tool, outcome, raw
FROM selected
ORDER BY step, call
