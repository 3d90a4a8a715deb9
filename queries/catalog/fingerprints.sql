-- purpose: what tells whether a trajectory and its ledger are as they were, of the trajectories named
-- params: trajectory_ids VARCHAR[]
-- columns: trajectory_id VARCHAR, fingerprint VARCHAR
WITH rows_of AS (
    SELECT trajectory_id, sum(hash(ledger)) AS ledger_hash
    FROM ledger
    WHERE list_contains($trajectory_ids::VARCHAR[], trajectory_id)
    GROUP BY trajectory_id
)
SELECT trajectory_id, concat_ws('/', content_hash, ledger_hash) AS fingerprint
FROM trajectories
LEFT JOIN rows_of USING (trajectory_id)
WHERE list_contains($trajectory_ids::VARCHAR[], trajectory_id);
