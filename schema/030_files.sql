-- purpose: the file graph, one row per call that reads or writes a file (design: docs/architecture.md, "File graph")
CREATE TABLE file_events (
    trajectory_id    VARCHAR NOT NULL,
    step             BIGINT  NOT NULL,
    call             INTEGER NOT NULL,
    path             VARCHAR NOT NULL,
    command          VARCHAR NOT NULL,
    kind             VARCHAR NOT NULL,
    confirmed        BOOLEAN NOT NULL,
    path_span        STRUCT(field VARCHAR, "start" INTEGER, "end" INTEGER),
    command_span     STRUCT(field VARCHAR, "start" INTEGER, "end" INTEGER),
    observation_span STRUCT(field VARCHAR, "start" INTEGER, "end" INTEGER)
);
COMMENT ON TABLE file_events IS 'One row per call that reads or writes a file by its exact path.';
COMMENT ON COLUMN file_events.kind IS 'read, write or undo.';
COMMENT ON COLUMN file_events.confirmed IS 'True if the tool''s receipt leads the observation; false: an attempt.';
COMMENT ON COLUMN file_events.path_span IS 'Where the path stands: field and code points.';
