-- purpose: what a model said of the steps, validated, apart from the ledger that it completes (design: docs/architecture.md, "Annotation")
CREATE TABLE IF NOT EXISTS annotations (
    trajectory_id VARCHAR NOT NULL,
    step          BIGINT  NOT NULL,
    call          INTEGER NOT NULL,
    act           VARCHAR,
    targets       VARCHAR[] NOT NULL,
    outcome       VARCHAR NOT NULL,
    quote         STRUCT("text" VARCHAR, "start" INTEGER, "end" INTEGER),
    changes       STRUCT(object VARCHAR, property VARCHAR, "value" VARCHAR, verified BOOLEAN)[] NOT NULL,
    verdict       VARCHAR NOT NULL,
    model         VARCHAR NOT NULL,
    chunk         VARCHAR NOT NULL,
    texts         VARCHAR NOT NULL
);
COMMENT ON TABLE annotations IS 'One row per annotated call, as the validator let it pass. Key: (trajectory_id, step, call).';
COMMENT ON COLUMN annotations.trajectory_id IS 'As in steps.';
COMMENT ON COLUMN annotations.step IS 'As in steps.';
COMMENT ON COLUMN annotations.call IS 'As in steps.';
COMMENT ON COLUMN annotations.act IS 'What the model calls the kind of action; NULL if it named none.';
COMMENT ON COLUMN annotations.targets IS 'What the model says the action names, in order of mention.';
COMMENT ON COLUMN annotations.outcome IS 'success, failure or no_effect where a quote supports it, else unknown.';
COMMENT ON COLUMN annotations.quote IS 'The characters of the observation that support the outcome; start and end in code points.';
COMMENT ON COLUMN annotations.changes IS 'State changes that the model claims; only of successful steps whose quote was found.';
COMMENT ON COLUMN annotations.verdict IS 'accepted: the quote occurs; recovered: it occurs after looser normalization; rejected: it does not, outcome and changes were dropped; none: no outcome was claimed.';
COMMENT ON COLUMN annotations.model IS 'Name of the model, as it was asked for.';
COMMENT ON COLUMN annotations.chunk IS 'The part of the log that was sent, as in annotation_chunks.';
COMMENT ON COLUMN annotations.texts IS 'Hash of the texts that the model saw; the row is forgotten when they change.';

CREATE TABLE IF NOT EXISTS annotation_chunks (
    trajectory_id     VARCHAR NOT NULL,
    chunk             VARCHAR NOT NULL,
    model             VARCHAR NOT NULL,
    first_step        BIGINT  NOT NULL,
    last_step         BIGINT  NOT NULL,
    calls             BIGINT  NOT NULL,
    state             VARCHAR NOT NULL,
    reason            VARCHAR,
    prompt_tokens     BIGINT  NOT NULL,
    completion_tokens BIGINT  NOT NULL
);
COMMENT ON TABLE annotation_chunks IS 'One row per part of a trajectory that was sent to a model. Key: (trajectory_id, chunk).';
COMMENT ON COLUMN annotation_chunks.trajectory_id IS 'As in steps.';
COMMENT ON COLUMN annotation_chunks.chunk IS 'Hash of the whole request: prompt, model and settings.';
COMMENT ON COLUMN annotation_chunks.model IS 'Name of the model, as it was asked for.';
COMMENT ON COLUMN annotation_chunks.first_step IS 'First step of the part.';
COMMENT ON COLUMN annotation_chunks.last_step IS 'Last step of the part.';
COMMENT ON COLUMN annotation_chunks.calls IS 'Logged calls that the part holds.';
COMMENT ON COLUMN annotation_chunks.state IS 'done, or failed: then its rows stay mechanical and it is tried again next time.';
COMMENT ON COLUMN annotation_chunks.reason IS 'Why it failed; NULL if it did not.';
COMMENT ON COLUMN annotation_chunks.prompt_tokens IS 'Tokens sent, as the server counts them.';
COMMENT ON COLUMN annotation_chunks.completion_tokens IS 'Tokens received, likewise.';

CREATE OR REPLACE MACRO texts_hash(action, observation) AS
    sha256(concat_ws('/', coalesce(sha256(action), ''), coalesce(sha256(observation), '')));
COMMENT ON MACRO texts_hash IS 'SHA-256 of the two texts of a step; NULL and empty differ.';
