-- purpose: what became of the trajectories of each file, and how many steps were added
-- columns: file BIGINT, n_trajectories BIGINT, n_steps BIGINT, n_new BIGINT, n_grown BIGINT, n_replaced BIGINT, n_shorter BIGINT
SELECT
    i.file,
    count(*) AS n_trajectories,
    coalesce(sum(CASE
        WHEN v.verdict IN ('grown', 'answered') THEN i.n_steps - v.n_known
        WHEN v.verdict IN ('new', 'changed') THEN i.n_steps
    END), 0)::BIGINT AS n_steps,
    count(*) FILTER (v.verdict = 'new') AS n_new,
    count(*) FILTER (v.verdict IN ('grown', 'answered')) AS n_grown,
    count(*) FILTER (v.verdict = 'changed') AS n_replaced,
    count(*) FILTER (v.verdict = 'shorter') AS n_shorter
FROM verdicts AS v
JOIN incoming_runs AS i USING (trajectory_id)
GROUP BY i.file
ORDER BY i.file
