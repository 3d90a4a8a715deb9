-- purpose: trajectories whose rows are not as many as were archived, or that are listed twice, or not at all
-- columns: trajectory_id VARCHAR, step BIGINT, problem VARCHAR
WITH found AS (SELECT trajectory_id, count(*) AS n FROM steps GROUP BY trajectory_id),
listed AS (SELECT trajectory_id, any_value(n_steps) AS n, count(*) AS times FROM trajectories GROUP BY trajectory_id)
SELECT trajectory_id, NULL::BIGINT AS step, CASE
    WHEN listed.n IS NULL THEN found.n || ' steps of a trajectory that is not listed'
    WHEN listed.times > 1 THEN 'listed ' || listed.times || ' times'
    ELSE listed.n || ' steps were archived, ' || coalesce(found.n, 0) || ' are there'
END AS problem
FROM listed FULL JOIN found USING (trajectory_id)
WHERE listed.n IS DISTINCT FROM found.n OR listed.times > 1
