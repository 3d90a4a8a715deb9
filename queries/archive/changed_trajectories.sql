-- purpose: files with other content than the archive: a trajectory, its first step that differs, their number
-- columns: file BIGINT, trajectory_id VARCHAR, different_step BIGINT, n_changed BIGINT
SELECT
    i.file,
    min(v.trajectory_id) AS trajectory_id,
    arg_min(v.different_step, v.trajectory_id) AS different_step,
    count(*) AS n_changed
FROM verdicts AS v
JOIN incoming_runs AS i USING (trajectory_id)
WHERE v.verdict = 'changed'
GROUP BY i.file
ORDER BY i.file
