-- purpose: one row a staged trajectory: its pieces joined, its content hashed
CREATE OR REPLACE TEMP TABLE incoming_runs AS
WITH runs AS (
    SELECT
        trajectory_id,
        min(piece) AS first_piece,
        arg_min(task, piece) AS task,
        arg_min(domain, piece) AS domain,
        arg_min(metadata, piece) AS metadata
    FROM incoming_trajectories
    GROUP BY trajectory_id
),
contents AS (
    SELECT trajectory_id, count(*) AS n_steps, string_agg(row_hash, '' ORDER BY rank) AS hashes
    FROM hashed_steps
    GROUP BY trajectory_id
)
SELECT
    r.*,
    coalesce(c.n_steps, 0) AS n_steps,
    sha256(coalesce(c.hashes, '')) AS content_hash
FROM runs AS r
LEFT JOIN contents AS c USING (trajectory_id)
