-- purpose: the ledger, one row per archived call (design: docs/architecture.md, "Ledger")
CREATE TABLE IF NOT EXISTS ledger (
    trajectory_id VARCHAR NOT NULL,
    step          BIGINT  NOT NULL,
    call          INTEGER NOT NULL,
    tool          VARCHAR,
    act           VARCHAR,
    raw           VARCHAR,
    targets       VARCHAR[] NOT NULL,
    outcome       VARCHAR NOT NULL,
    quote         STRUCT("text" VARCHAR, "start" INTEGER, "end" INTEGER),
    changes       STRUCT(object VARCHAR, property VARCHAR, "value" VARCHAR, verified BOOLEAN)[] NOT NULL,
    delta         VARCHAR[] NOT NULL,
    exit_code     BIGINT,
    error         VARCHAR,
    paths         VARCHAR[] NOT NULL,
    author        VARCHAR,
    is_copied     BOOLEAN NOT NULL,
    provenance    VARCHAR NOT NULL
);
COMMENT ON TABLE ledger IS 'One row per archived call: what was done, to what, with what outcome. Key: (trajectory_id, step, call).';
COMMENT ON COLUMN ledger.trajectory_id IS 'As in steps.';
COMMENT ON COLUMN ledger.step IS 'As in steps.';
COMMENT ON COLUMN ledger.call IS 'As in steps.';
COMMENT ON COLUMN ledger.tool IS 'Leading identifier of the action, or the structured tool name; NULL for malformed and empty actions.';
COMMENT ON COLUMN ledger.act IS 'Normalized kind of action: verb phrase, tool.command or tool.program; ''malformed''; NULL for empty actions.';
COMMENT ON COLUMN ledger.raw IS 'The action as logged.';
COMMENT ON COLUMN ledger.targets IS 'What the action names, in order of mention.';
COMMENT ON COLUMN ledger.outcome IS 'success, failure, no_effect or unknown; only from explicit evidence.';
COMMENT ON COLUMN ledger.quote IS 'The characters of the observation that support the outcome; start and end in code points.';
COMMENT ON COLUMN ledger.changes IS 'State changes object.property → value; verified: the value occurs in the step''s text.';
COMMENT ON COLUMN ledger.delta IS 'Arguments that differ from the previous call of the same tool and path, as ''parameter: old → new''.';
COMMENT ON COLUMN ledger.exit_code IS 'Exit code that the log states, else NULL. NULL is not 0.';
COMMENT ON COLUMN ledger.error IS 'First line of the error text of a failed step.';
COMMENT ON COLUMN ledger.paths IS 'Exact paths that the call names in structured arguments or, for commits, touches.';
COMMENT ON COLUMN ledger.author IS 'Who made the step, where the log says (commits).';
COMMENT ON COLUMN ledger.is_copied IS 'Copied context: archived, but no event.';
COMMENT ON COLUMN ledger.provenance IS 'mechanical, or the fields that a model annotated.';
