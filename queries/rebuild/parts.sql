-- purpose: share all trajectories out into parts of about so many characters, for what is done to the archive part by part
-- params: characters BIGINT
-- makes: parts(trajectory_id, part)
CREATE OR REPLACE TEMP TABLE parts AS
WITH sizes AS (
    SELECT trajectory_id, sum(200 + coalesce(strlen(action), 0) + coalesce(strlen(observation), 0)) AS size
    FROM steps
    GROUP BY trajectory_id
)
SELECT trajectory_id, (sum(size) OVER (ORDER BY trajectory_id) - size) // $characters AS part
FROM sizes
