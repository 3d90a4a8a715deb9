-- purpose: the files of the file graph with events in scope: terms shared with a question, and whether it names them
-- params: trajectory_id VARCHAR, lo BIGINT, hi BIGINT, pattern VARCHAR, paths VARCHAR[]
-- columns: path VARCHAR, shared BIGINT, is_named BOOLEAN, steps BIGINT[]
SELECT
    path,
    len(list_distinct(regexp_extract_all(lower(path), $pattern))) AS shared,
    -- the question may leave out leading folders, but what it says of the path must agree
    len(list_filter(
        $paths::VARCHAR[], lambda named: lower(path) = named OR ends_with(lower(path), '/' || named)
    )) > 0 AS is_named,
    list_sort(list_distinct(list(step))) AS steps
FROM file_events
WHERE trajectory_id = $trajectory_id
    AND coalesce(step >= $lo::BIGINT, true) AND coalesce(step <= $hi::BIGINT, true)
GROUP BY path
ORDER BY path
