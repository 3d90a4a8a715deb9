-- purpose: the file graph, one row per call that reads or writes a file (design: docs/architecture.md, "File graph")
CREATE TABLE IF NOT EXISTS file_events (
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
COMMENT ON COLUMN file_events.trajectory_id IS 'As in steps.';
COMMENT ON COLUMN file_events.step IS 'As in steps.';
COMMENT ON COLUMN file_events.call IS 'As in steps.';
COMMENT ON COLUMN file_events.path IS 'Exact path as the call names it; equal file names in other folders are other files.';
COMMENT ON COLUMN file_events.command IS 'The editor''s sub-command, else the tool.';
COMMENT ON COLUMN file_events.kind IS 'read, write or undo.';
COMMENT ON COLUMN file_events.confirmed IS 'True if the tool''s receipt leads the observation; false: an attempt.';
COMMENT ON COLUMN file_events.path_span IS 'Where the path stands: field and code points.';
COMMENT ON COLUMN file_events.command_span IS 'Where the command stands, likewise; NULL where the text does not hold it.';
COMMENT ON COLUMN file_events.observation_span IS 'The observation, NULL if none was recorded.';
