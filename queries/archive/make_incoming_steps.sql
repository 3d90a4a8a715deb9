-- purpose: an empty staging table for the steps of a group of source files, as they number them
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
    source_ref    VARCHAR,
    action_hash      VARCHAR NOT NULL,
    observation_hash VARCHAR NOT NULL,
    args_hash        VARCHAR NOT NULL
)
