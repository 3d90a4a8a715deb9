-- purpose: number of staged rows of each file that hold nothing at all and are left out
-- columns: file BIGINT, n_empty BIGINT
SELECT r.file, count(*) AS n_empty
FROM incoming_steps AS i
JOIN (SELECT trajectory_id, min(file) AS file FROM incoming_trajectories GROUP BY trajectory_id) AS r USING (trajectory_id)
ANTI JOIN numbered_steps AS n ON n.position = i.position
GROUP BY r.file
ORDER BY r.file
