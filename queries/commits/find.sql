-- purpose: the commits among the touched steps, and what each did to its files
-- makes: commits(id, trajectory_id, step, call, act, action, author, is_copied), commit_files(id, position, status, path, old_path, start, end, is_binary, form), commit_sections(id, position, section)
CREATE OR REPLACE TEMP TABLE commits AS
SELECT
    rowid AS id, trajectory_id, step, call,
    CASE
        WHEN json_array_length(args_json, '$.parents') > 1
            THEN CASE WHEN json_array_length(args_json, '$.files') = 0 THEN 'commit.empty_merge' ELSE 'commit.merge' END
        WHEN json_array_length(args_json, '$.files') = 0 THEN 'commit.empty'
        ELSE 'commit'
    END AS act,
    action, args_json->>'$.author' AS author, is_copied,
    from_json(
        args_json->'$.files',
        '[{"status":"VARCHAR","path":"VARCHAR","old_path":"VARCHAR","added":"BIGINT","deleted":"BIGINT","start":"BIGINT","end":"BIGINT"}]'
    ) AS files
FROM steps
WHERE
    tool = 'commit'
    AND trajectory_id IN (SELECT trajectory_id FROM touched)
    AND json_type(args_json, '$.sha') = 'VARCHAR' AND json_type(args_json, '$.files') = 'ARRAY';

CREATE OR REPLACE TEMP TABLE commit_files AS
WITH RECURSIVE listed AS (
    SELECT id, unnest(files) AS file, generate_subscripts(files, 1) AS position FROM commits
),
named AS (
    -- a copy is a new file and leaves the old one as it was
    SELECT
        id, position, file.path AS path,
        CASE WHEN file.status = 'copied' THEN 'added' ELSE file.status END AS status,
        CASE WHEN file.status = 'renamed' THEN file.old_path END AS old_path,
        file.start AS "start", file."end" AS "end",
        -- git counts no lines of binary files; of a patch without places nothing is known
        file.added IS NULL AND file.start IS NOT NULL AS is_binary,
        file.status = 'renamed' AND file.added + file.deleted = 0 AS is_moved,
        lower(regexp_extract(file.path, '[^/]+$')) AS name
    FROM listed
    WHERE file.path <> '' AND file.status IS NOT NULL
),
binaries AS (
    SELECT path FROM named WHERE is_binary
    UNION
    SELECT named.path FROM named JOIN binaries ON named.old_path = binaries.path WHERE is_moved
),
written AS (
    SELECT DISTINCT name, arg_max(form, length(files)) AS form
    FROM (SELECT DISTINCT name FROM named) AS names
    JOIN vocabulary.assignment_files AS known ON names.name GLOB known.files
    GROUP BY name
)
SELECT
    id, position, status, path, old_path, "start", "end",
    -- a patch that only renames does not say what the file holds
    is_binary OR (is_moved AND old_path IN (SELECT path FROM binaries)) AS is_binary,
    form
FROM named
LEFT JOIN written USING (name);

CREATE OR REPLACE TEMP TABLE commit_assignments (id BIGINT, position BIGINT, line BIGINT, name VARCHAR, "value" VARCHAR);

-- reaching the n-th file of a text means to walk over those before it: texts of many files are cut in one go
CREATE OR REPLACE TEMP TABLE commit_sections AS
WITH large AS (
    SELECT id, min("start") AS "start", count(*) AS files
    FROM commit_files
    GROUP BY id
    HAVING count(*) > 64 AND count(*) = max(position) AND bool_and("end" > "start")
),
parted AS (
    SELECT large.id, files, string_split(substr(observation, "start" + 1), E'\ndiff --git ') AS parts
    FROM large
    JOIN steps ON steps.rowid = large.id
    WHERE steps.trajectory_id IN (SELECT trajectory_id FROM touched)
),
told AS (
    SELECT id, unnest(parts) AS part, generate_subscripts(parts, 1) AS position
    FROM parted
    WHERE len(parts) = files
)
SELECT
    id, position,
    CASE WHEN position = 1 THEN '' ELSE 'diff --git ' END || CASE WHEN form IS NULL THEN "left"(part, 4096) ELSE part END AS section
FROM told
JOIN commit_files USING (id, position);
