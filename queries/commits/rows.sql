-- purpose: the ledger rows and file events of commits
-- makes: ledger, file_events
INSERT INTO ledger
WITH named AS (
    SELECT id, list(path ORDER BY place) AS paths
    FROM (
        SELECT id, path, min(place) AS place
        FROM (
            SELECT id, path, 2 * position AS place FROM commit_files
            UNION ALL
            SELECT id, old_path, 2 * position - 1 FROM commit_files WHERE old_path IS NOT NULL
        )
        GROUP BY id, path
    )
    GROUP BY id
),
stated AS (
    SELECT id, position, 0 AS place, coalesce(old_path, path) AS object, 'status' AS property, status AS "value" FROM commit_files
    UNION ALL
    SELECT id, position, 1, old_path, 'path', path FROM commit_files WHERE old_path IS NOT NULL
    UNION ALL
    SELECT id, position, 1, path, 'content', 'binary' FROM commit_files WHERE is_binary
    UNION ALL
    SELECT id, position, 1 + line, path, name, "value"
    FROM commit_assignments JOIN commit_files USING (id, position)
    -- a variable of the name of a fact would pass for it
    WHERE name NOT IN ('status', 'path', 'content')
),
changed AS (
    SELECT
        id,
        list(
            struct_pack(object := object, property := property, "value" := "value", verified := true) ORDER BY position, place
        ) AS changes
    FROM stated
    GROUP BY id
)
SELECT
    trajectory_id, step, call, 'commit', act, action, coalesce(paths, []), 'success', NULL, coalesce(changes, []), [],
    NULL, NULL, coalesce(paths, []), author, is_copied, 'mechanical'
FROM commits
LEFT JOIN named USING (id)
LEFT JOIN changed USING (id)
ORDER BY trajectory_id, step, call;

INSERT INTO file_events
WITH headings AS (
    SELECT id, position, section FROM commit_sections
    UNION ALL
    SELECT commit_files.id, position, substr(observation, "start" + 1, 20 + length(coalesce(old_path, path)) + length(path))
    FROM (FROM commit_files ANTI JOIN commit_sections USING (id, position)) AS commit_files
    JOIN steps ON steps.rowid = commit_files.id
    WHERE steps.trajectory_id IN (SELECT trajectory_id FROM touched)
),
placed AS (
    -- git's heading names the path twice, a rename's second
    SELECT
        commit_files.*,
        strpos("left"(section, 20 + length(coalesce(old_path, path)) + length(path)), path) AS place
    FROM commit_files
    JOIN headings USING (id, position)
)
SELECT
    trajectory_id, step, call, path, status, 'write', true,
    CASE WHEN place > 0 THEN struct_pack(
        field := 'observation', "start" := ("start" + place - 1)::INTEGER, "end" := ("start" + place - 1 + length(path))::INTEGER
    ) END,
    NULL,
    CASE WHEN "end" > "start" THEN struct_pack(field := 'observation', "start" := "start"::INTEGER, "end" := "end"::INTEGER) END
FROM placed
JOIN commits USING (id)
ORDER BY trajectory_id, step, call, position;
