-- purpose: how a source file was when it was last loaded, and how many trajectories it gave
-- params: source VARCHAR
-- columns: format VARCHAR, size BIGINT, sha256 VARCHAR, n_trajectories BIGINT
SELECT
    s.format, s.size, s.sha256,
    (SELECT count(*) FROM trajectories AS t WHERE t.source = s.source) AS n_trajectories
FROM sources AS s
WHERE s.source = $source
