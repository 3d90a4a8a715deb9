-- purpose: keys that occur more than once
-- columns: trajectory_id VARCHAR, step BIGINT, problem VARCHAR
WITH keys AS (
    SELECT 'steps' AS place, trajectory_id, step, call FROM steps
    UNION ALL SELECT 'ledger', trajectory_id, step, call FROM ledger
    UNION ALL SELECT 'annotations', trajectory_id, step, call FROM annotations
)
SELECT trajectory_id, step, 'call ' || call || ' occurs ' || count(*) || ' times in ' || place AS problem
FROM keys
GROUP BY place, trajectory_id, step, call
HAVING count(*) > 1
