-- purpose: which rules made the ledger
-- columns: fingerprint VARCHAR
SELECT fingerprint FROM schema_version
