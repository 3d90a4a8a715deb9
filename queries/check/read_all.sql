-- purpose: read every value of a table, so that damage on the disk shows
-- params: name VARCHAR
-- columns: rows BIGINT
SELECT count(hash(kept)) AS rows FROM query_table($name) AS kept
