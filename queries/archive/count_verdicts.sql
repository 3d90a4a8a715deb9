-- purpose: what became of the staged trajectories, and how many steps were added
-- columns: verdict VARCHAR, n_trajectories BIGINT, n_added HUGEINT
SELECT
    v.verdict,
    count(*) AS n_trajectories,
    sum(CASE v.verdict
        WHEN 'grown' THEN i.n_steps - v.n_known
        WHEN 'answered' THEN i.n_steps - v.n_known
        WHEN 'new' THEN i.n_steps
        WHEN 'changed' THEN i.n_steps
        ELSE 0
    END) AS n_added
FROM verdicts AS v
JOIN incoming_runs AS i USING (trajectory_id)
GROUP BY v.verdict
