-- purpose: the events of a trajectory with their texts, and the targets that the log itself gives
-- params: trajectory_id VARCHAR
-- columns: step BIGINT, call INTEGER, action VARCHAR, observation VARCHAR, targets VARCHAR[]
SELECT
    step, call, action, observation,
    CASE WHEN starts_with(provenance, 'annotated') AND contains(provenance, 'targets') THEN [] ELSE targets END AS targets
FROM ledger
JOIN steps USING (trajectory_id, step, call)
WHERE trajectory_id = $trajectory_id AND act IS NOT NULL AND act <> 'malformed' AND NOT ledger.is_copied
ORDER BY step, call;
