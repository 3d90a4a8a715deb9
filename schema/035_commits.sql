-- purpose: commits as relations (design: docs/architecture.md, "Commit histories")
CREATE OR REPLACE VIEW commit_files AS
SELECT trajectory_id, step, call, sha, file.* EXCLUDE ("start", "end")
FROM (
    SELECT
        trajectory_id, step, call, args_json->>'$.sha' AS sha,
        unnest(from_json(
            args_json->'$.files',
            '[{"status":"VARCHAR","path":"VARCHAR","old_path":"VARCHAR","added":"BIGINT","deleted":"BIGINT","start":"BIGINT","end":"BIGINT"}]'
        )) AS file
    FROM steps
    WHERE tool = 'commit' AND json_type(args_json, '$.sha') = 'VARCHAR' AND json_type(args_json, '$.files') = 'ARRAY'
);
COMMENT ON VIEW commit_files IS 'One row a file that a commit touches; a merge is compared with its first parent.';
COMMENT ON COLUMN commit_files.trajectory_id IS 'The history, as in steps.';
COMMENT ON COLUMN commit_files.step IS 'The commit''s step, as in steps.';
COMMENT ON COLUMN commit_files.call IS 'As in steps.';
COMMENT ON COLUMN commit_files.sha IS 'Full hash of the commit.';
COMMENT ON COLUMN commit_files.status IS 'added, modified, deleted, renamed or copied.';
COMMENT ON COLUMN commit_files.path IS 'Path after the commit; that of a deleted file before it.';
COMMENT ON COLUMN commit_files.old_path IS 'Path before, for renames and copies.';
COMMENT ON COLUMN commit_files.added IS 'Lines added, NULL for binary files.';
COMMENT ON COLUMN commit_files.deleted IS 'Lines deleted, NULL for binary files.';
