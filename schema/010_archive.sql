-- purpose: the archive, every logged step verbatim (design: docs/architecture.md, "Archive")
CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL, fingerprint VARCHAR);
COMMENT ON TABLE schema_version IS 'One row: the version of this database''s schema.';
COMMENT ON COLUMN schema_version.version IS 'Older databases migrate when they are opened; newer ones are refused.';
COMMENT ON COLUMN schema_version.fingerprint IS 'SHA-256 of the schema, the vocabulary and the statements that made the ledger; another release makes it anew.';

CREATE TABLE IF NOT EXISTS sources (
    source    VARCHAR NOT NULL,
    format    VARCHAR NOT NULL,
    size      BIGINT,
    sha256    VARCHAR,
    loaded_at TIMESTAMP NOT NULL
);
COMMENT ON TABLE sources IS 'One row a loaded source file; size and hash tell an unchanged file from a new one.';
COMMENT ON COLUMN sources.source IS 'Path of the file as given.';
COMMENT ON COLUMN sources.format IS 'What the file was taken for.';
COMMENT ON COLUMN sources.size IS 'Bytes on disk.';
COMMENT ON COLUMN sources.sha256 IS 'Hash of the file as it is on disk; NULL: read it again next time.';
COMMENT ON COLUMN sources.loaded_at IS 'When the file was last read, UTC.';

CREATE TABLE IF NOT EXISTS trajectories (
    trajectory_id VARCHAR NOT NULL,
    task          VARCHAR,
    domain        VARCHAR,
    source        VARCHAR,
    format        VARCHAR,
    n_steps       BIGINT NOT NULL,
    content_hash  VARCHAR NOT NULL,
    metadata      JSON,
    loaded_at     TIMESTAMP NOT NULL
);
COMMENT ON TABLE trajectories IS 'One row a trajectory: an agent''s run, ordered steps of action and observation.';
COMMENT ON COLUMN trajectories.trajectory_id IS 'The source''s own id.';
COMMENT ON COLUMN trajectories.task IS 'What the agent was asked to do, if the source says.';
COMMENT ON COLUMN trajectories.domain IS 'The source''s own name for the kind of task.';
COMMENT ON COLUMN trajectories.source IS 'Path of the file that gave the newest steps, as given.';
COMMENT ON COLUMN trajectories.format IS 'What that file was taken for.';
COMMENT ON COLUMN trajectories.n_steps IS 'Number of archived rows in steps.';
COMMENT ON COLUMN trajectories.content_hash IS 'SHA-256 over the step_hash of all archived rows; equal content, equal hash.';
COMMENT ON COLUMN trajectories.metadata IS 'Whatever else the source says of the run, as JSON.';
COMMENT ON COLUMN trajectories.loaded_at IS 'When the newest steps were archived, UTC.';

CREATE TABLE IF NOT EXISTS steps (
    trajectory_id VARCHAR NOT NULL,
    step          BIGINT  NOT NULL,
    call          INTEGER NOT NULL,
    action        VARCHAR,
    observation   VARCHAR,
    tool          VARCHAR,
    args          VARCHAR,
    args_json     JSON,
    exit_code     BIGINT,
    is_error      BOOLEAN,
    is_copied     BOOLEAN NOT NULL,
    ts            TIMESTAMP,
    source_ref    VARCHAR
);
COMMENT ON TABLE steps IS 'One row a logged call, verbatim. Key: (trajectory_id, step, call).';
COMMENT ON COLUMN steps.trajectory_id IS 'The run that the step belongs to.';
COMMENT ON COLUMN steps.step IS 'The source''s own step number where it has increasing integers, else the position.';
COMMENT ON COLUMN steps.call IS 'Position among the calls of one step, from 0.';
COMMENT ON COLUMN steps.action IS 'The action as logged.';
COMMENT ON COLUMN steps.observation IS 'The observation as logged: NULL if none was recorded, empty if it was empty.';
COMMENT ON COLUMN steps.tool IS 'The source''s structured tool name, if it has one.';
COMMENT ON COLUMN steps.args IS 'The source''s structured arguments, verbatim.';
COMMENT ON COLUMN steps.args_json IS 'The arguments as JSON, NULL where they do not parse.';
COMMENT ON COLUMN steps.exit_code IS 'Exit code from a structured field of the source, else NULL.';
COMMENT ON COLUMN steps.is_error IS 'The source''s own error flag, else NULL.';
COMMENT ON COLUMN steps.is_copied IS 'True for context copied from an earlier step or session: archived, but no event.';
COMMENT ON COLUMN steps.ts IS 'When the step happened, UTC.';
COMMENT ON COLUMN steps.source_ref IS 'Where the source keeps the step: its original id.';

-- Texts are hashed before they are joined, so that long observations are never copied.
CREATE OR REPLACE MACRO step_hash(
    step, call, action, observation, tool, args, exit_code, is_error, is_copied, ts, source_ref
) AS sha256(concat_ws(
    '/',
    step, call,
    coalesce(sha256(action), ''), coalesce(sha256(observation), ''),
    coalesce(sha256(tool), ''), coalesce(sha256(args), ''),
    coalesce(exit_code::VARCHAR, ''), coalesce(is_error::VARCHAR, ''), is_copied,
    coalesce(epoch_us(ts)::VARCHAR, ''), coalesce(sha256(source_ref), '')
));
COMMENT ON MACRO step_hash IS 'SHA-256 of one row of steps, its place included; content_hash is made of these.';

CREATE OR REPLACE MACRO content_hash(row_hash) AS sha256(concat_ws(
    '/',
    count(*),
    sum(('0x' || substr(row_hash, 1, 16))::UBIGINT),
    sum(('0x' || substr(row_hash, 17, 16))::UBIGINT),
    sum(('0x' || substr(row_hash, 33, 16))::UBIGINT),
    sum(('0x' || substr(row_hash, 49, 16))::UBIGINT)
));
COMMENT ON MACRO content_hash IS 'SHA-256 of a trajectory from the step_hash of its rows, which hold their places; summed, so that memory does not grow.';
