-- purpose: from version 1 to 2: a database knows which rules made its ledger
ALTER TABLE schema_version ADD COLUMN fingerprint VARCHAR;
