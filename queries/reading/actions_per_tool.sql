-- purpose: the events of each tool in scope, most first
-- params: trajectory_id VARCHAR, lo BIGINT, hi BIGINT
-- columns: tool VARCHAR, events BIGINT
SELECT tool, count(*) AS events
FROM ledger
WHERE trajectory_id = $trajectory_id AND tool IS NOT NULL AND act IS DISTINCT FROM 'malformed' AND NOT is_copied
    AND coalesce(step >= $lo::BIGINT, true) AND coalesce(step <= $hi::BIGINT, true)
GROUP BY tool
ORDER BY events DESC, tool
