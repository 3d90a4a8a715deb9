-- purpose: an empty staging table for the steps of one source file, as the file numbers them
CREATE OR REPLACE TEMP TABLE incoming_steps (
    position      BIGINT  NOT NULL,
    trajectory_id VARCHAR NOT NULL,
    step          BIGINT,
    call          INTEGER NOT NULL,
    action        VARCHAR,
    observation   VARCHAR,
    tool          VARCHAR,
    args          VARCHAR,
    exit_code     BIGINT,
    is_error      BOOLEAN,
    is_copied     BOOLEAN NOT NULL,
    ts            TIMESTAMP,
    source_ref    VARCHAR
)
