-- purpose: trajectories whose own step numbers repeat or fall, so that positions replaced them
-- columns: trajectory_id VARCHAR
SELECT trajectory_id
FROM numbered_steps
WHERE is_renumbered
GROUP BY trajectory_id
HAVING count(original_step) > 0
ORDER BY min(position)
