-- purpose: remove what is known of a source file
-- params: source VARCHAR
DELETE FROM sources WHERE source = $source
