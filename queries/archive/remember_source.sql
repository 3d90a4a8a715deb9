-- purpose: note how a source file was when it was loaded; no hash means: read it again next time
-- params: source VARCHAR, format VARCHAR, size BIGINT, sha256 VARCHAR, loaded_at TIMESTAMP
INSERT INTO sources (source, format, size, sha256, loaded_at)
VALUES ($source, $format, $size, $sha256, $loaded_at)
