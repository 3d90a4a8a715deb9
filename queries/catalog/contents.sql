-- purpose: what the database holds, by format and domain of the trajectories
-- columns: format VARCHAR, domain VARCHAR, trajectories BIGINT, steps BIGINT, events BIGINT, file_events BIGINT
WITH logged AS (
    SELECT trajectory_id, count(*) AS steps, count(*) FILTER (act <> 'malformed' AND NOT is_copied) AS events
    FROM ledger
    GROUP BY trajectory_id
),
opened AS (
    SELECT trajectory_id, count(*) AS file_events FROM file_events GROUP BY trajectory_id
)
SELECT
    format, domain, count(*) AS trajectories,
    coalesce(sum(steps), 0)::BIGINT AS steps, coalesce(sum(events), 0)::BIGINT AS events, coalesce(sum(file_events), 0)::BIGINT AS file_events
FROM trajectories
LEFT JOIN logged USING (trajectory_id)
LEFT JOIN opened USING (trajectory_id)
GROUP BY format, domain
ORDER BY trajectories DESC, format, domain;
