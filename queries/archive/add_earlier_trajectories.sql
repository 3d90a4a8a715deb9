-- purpose: what the archive says of sessions of which a later part is staged stands first: task and metadata
INSERT INTO incoming_trajectories BY NAME
SELECT
    -1 AS piece,
    (SELECT min(i.file) FROM incoming_trajectories AS i WHERE i.trajectory_id = t.trajectory_id) AS file,
    t.trajectory_id, t.task, t.domain, t.metadata::VARCHAR AS metadata
FROM trajectories AS t
JOIN earlier_steps AS e USING (trajectory_id)
WHERE e.n_before > 0
