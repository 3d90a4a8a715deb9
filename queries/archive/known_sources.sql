-- purpose: how each source file was when it was last loaded, and how many trajectories it gave
-- columns: source VARCHAR, format VARCHAR, size BIGINT, sha256 VARCHAR, n_trajectories BIGINT
SELECT s.source, s.format, s.size, s.sha256, coalesce(t.n_trajectories, 0) AS n_trajectories
FROM sources AS s
LEFT JOIN (SELECT source, count(*) AS n_trajectories FROM trajectories GROUP BY source) AS t USING (source)
