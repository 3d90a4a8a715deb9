-- purpose: staged trajectories with other content than the archive, and the first step that differs
-- columns: trajectory_id VARCHAR, different_step BIGINT
SELECT trajectory_id, different_step
FROM verdicts
WHERE verdict = 'changed'
ORDER BY trajectory_id
