-- purpose: how many archived steps come before the staged ones, where a file holds only a later part of a session
-- params: files BIGINT[], formats VARCHAR[]
-- The part begins with a call that is archived, or all of it is new and later than what is archived.
CREATE OR REPLACE TEMP TABLE earlier_steps AS
WITH parts AS (
    SELECT i.trajectory_id, arg_min(i.source_ref, i.position) AS first_ref, min(i.ts) AS begins
    FROM incoming_steps AS i
    WHERE i.trajectory_id IN (
        SELECT n.trajectory_id
        FROM incoming_trajectories AS n
        JOIN trajectories AS t USING (trajectory_id)
        WHERE list_contains($files::BIGINT[], n.file) AND list_contains($formats::VARCHAR[], t.format)
    )
    GROUP BY i.trajectory_id
),
archived AS (
    SELECT
        s.trajectory_id, s.source_ref, s.ts,
        row_number() OVER (PARTITION BY s.trajectory_id ORDER BY s.step, s.call) AS rank
    FROM steps AS s
    SEMI JOIN parts USING (trajectory_id)
),
shared AS (
    SELECT DISTINCT trajectory_id
    FROM archived
    SEMI JOIN incoming_steps AS i USING (trajectory_id, source_ref)
)
SELECT
    p.trajectory_id,
    CASE
        WHEN s.trajectory_id IS NOT NULL THEN min(a.rank) FILTER (a.source_ref = p.first_ref) - 1
        WHEN p.begins > max(a.ts) THEN count(*)
    END AS n_before
FROM parts AS p
JOIN archived AS a USING (trajectory_id)
LEFT JOIN shared AS s USING (trajectory_id)
GROUP BY p.trajectory_id, p.begins, p.first_ref, s.trajectory_id
