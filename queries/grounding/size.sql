-- purpose: how many rows a trajectory has in the ledger
-- params: trajectory_id VARCHAR
-- columns: rows BIGINT
SELECT count(*) AS rows FROM ledger WHERE trajectory_id = $trajectory_id
