-- purpose: note how source files were when they were loaded; no hash means: read it again next time
-- params: sources VARCHAR[], formats VARCHAR[], sizes BIGINT[], hashes VARCHAR[], loaded_at TIMESTAMP
INSERT INTO sources (source, format, size, sha256, loaded_at)
SELECT
    unnest($sources::VARCHAR[]), unnest($formats::VARCHAR[]), unnest($sizes::BIGINT[]),
    unnest($hashes::VARCHAR[]), $loaded_at::TIMESTAMP
