-- purpose: an empty staging table for the trajectories of a group of source files, in pieces
CREATE OR REPLACE TEMP TABLE incoming_trajectories (
    piece         BIGINT  NOT NULL,
    file          BIGINT  NOT NULL,
    trajectory_id VARCHAR NOT NULL,
    task          VARCHAR,
    domain        VARCHAR,
    metadata      VARCHAR
)
