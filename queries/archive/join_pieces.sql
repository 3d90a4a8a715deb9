-- purpose: one row a staged trajectory that holds steps: its pieces joined, its content hashed
CREATE OR REPLACE TEMP TABLE incoming_runs AS
WITH runs AS (
    SELECT
        trajectory_id,
        min(piece) AS first_piece,
        min(file) AS file,
        arg_min(task, piece) AS task,
        arg_min(domain, piece) AS domain,
        arg_min(metadata, piece) AS metadata
    FROM incoming_trajectories
    GROUP BY trajectory_id
),
contents AS (
    SELECT trajectory_id, count(*) AS n_steps, content_hash(row_hash) AS content_hash
    FROM hashed_steps
    GROUP BY trajectory_id
)
SELECT r.*, c.n_steps, c.content_hash
FROM runs AS r
JOIN contents AS c USING (trajectory_id)
