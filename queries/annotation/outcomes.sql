-- purpose: outcomes of the events by where they come from
-- params: trajectory_ids VARCHAR[]
-- columns: source VARCHAR, outcome VARCHAR, events BIGINT
SELECT
    CASE WHEN starts_with(provenance, 'annotated') AND contains(provenance, 'outcome') THEN 'annotated' ELSE 'mechanical' END AS source,
    outcome, count(*) AS events
FROM ledger
WHERE list_contains($trajectory_ids, trajectory_id) AND act IS NOT NULL AND act <> 'malformed' AND NOT is_copied
GROUP BY ALL
ORDER BY source, events DESC, outcome;
