-- purpose: note which rules made the ledger
-- params: version INTEGER, fingerprint VARCHAR
UPDATE schema_version SET version = $version, fingerprint = $fingerprint
