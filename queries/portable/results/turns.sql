-- purpose: one row per value and event, in order
-- params:
-- columns: place BIGINT, key VARCHAR, total BIGINT, step BIGINT, outcome VARCHAR
SELECT place, key, total, step, outcome
FROM turns
ORDER BY place, step, call
