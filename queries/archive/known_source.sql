-- purpose: how a source file was when it was last loaded
-- params: source VARCHAR
-- columns: format VARCHAR, size BIGINT, sha256 VARCHAR
SELECT format, size, sha256 FROM sources WHERE source = $source
