-- purpose: how many rows the ledger has
-- params: 
-- columns: rows BIGINT
SELECT count(*) AS rows FROM ledger
