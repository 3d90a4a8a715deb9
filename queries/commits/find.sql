-- purpose: the commits among the touched steps, and what each did to its files
-- makes: commits(id, trajectory_id, step, call, action, author, is_copied), commit_files(id, position, status, path, old_path, start, end, form)
CREATE OR REPLACE TEMP TABLE commits AS
SELECT
    rowid AS id, trajectory_id, step, call, action, args_json->>'$.author' AS author, is_copied,
    from_json(
        args_json->'$.files',
        '[{"status":"VARCHAR","path":"VARCHAR","old_path":"VARCHAR","start":"BIGINT","end":"BIGINT"}]'
    ) AS files
FROM steps
WHERE
    tool = 'commit'
    AND trajectory_id IN (SELECT trajectory_id FROM touched)
    AND json_type(args_json, '$.sha') = 'VARCHAR' AND json_type(args_json, '$.files') = 'ARRAY';

CREATE OR REPLACE TEMP TABLE commit_files AS
WITH listed AS (
    SELECT id, unnest(files) AS file, generate_subscripts(files, 1) AS position FROM commits
),
named AS (
    -- a copy is a new file and leaves the old one as it was
    SELECT
        id, position, file.path AS path,
        CASE WHEN file.status = 'copied' THEN 'added' ELSE file.status END AS status,
        CASE WHEN file.status = 'renamed' THEN file.old_path END AS old_path,
        file.start AS "start", file."end" AS "end",
        lower(regexp_extract(file.path, '[^/]+$')) AS name
    FROM listed
    WHERE file.path <> '' AND file.status IS NOT NULL
),
written AS (
    SELECT DISTINCT name, arg_max(form, length(files)) AS form
    FROM (SELECT DISTINCT name FROM named) AS names
    JOIN vocabulary.assignment_files AS known ON names.name GLOB known.files
    GROUP BY name
)
SELECT id, position, status, path, old_path, "start", "end", form
FROM named
LEFT JOIN written USING (name);

CREATE OR REPLACE TEMP TABLE commit_assignments (id BIGINT, position BIGINT, line BIGINT, name VARCHAR, "value" VARCHAR);
