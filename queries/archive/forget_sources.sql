-- purpose: forget how source files were when they were last loaded
-- params: sources VARCHAR[]
DELETE FROM sources WHERE list_contains($sources::VARCHAR[], source)
