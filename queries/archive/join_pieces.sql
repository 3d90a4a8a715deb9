-- purpose: one row a staged trajectory that holds steps: its pieces joined, its content hashed
-- A row's hash covers its step and call, so that the sum of the hashes is the hash of the ordered
-- rows, in memory that does not grow with them.
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
    SELECT
        trajectory_id,
        count(*) AS n_steps,
        sum(('0x' || substr(row_hash, 1, 16))::UBIGINT) AS word_1,
        sum(('0x' || substr(row_hash, 17, 16))::UBIGINT) AS word_2,
        sum(('0x' || substr(row_hash, 33, 16))::UBIGINT) AS word_3,
        sum(('0x' || substr(row_hash, 49, 16))::UBIGINT) AS word_4
    FROM hashed_steps
    GROUP BY trajectory_id
)
SELECT
    r.*,
    c.n_steps,
    sha256(concat_ws('/', c.n_steps, c.word_1, c.word_2, c.word_3, c.word_4)) AS content_hash
FROM runs AS r
JOIN contents AS c USING (trajectory_id)
