-- purpose: trajectories whose own step numbers repeat or fall, so that positions replaced them
-- columns: file BIGINT, trajectory_id VARCHAR
SELECT r.file, r.trajectory_id
FROM numbered_steps AS n
JOIN incoming_runs AS r USING (trajectory_id)
JOIN verdicts AS v USING (trajectory_id)
WHERE n.is_renumbered
GROUP BY r.file, r.trajectory_id
HAVING count(n.original_step) > 0
ORDER BY min(n.position)
