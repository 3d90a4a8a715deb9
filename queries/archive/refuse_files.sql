-- purpose: leave out the trajectories of files that conflict with the archive
-- params: files BIGINT[]
DELETE FROM verdicts
WHERE trajectory_id IN (
    SELECT trajectory_id FROM incoming_runs WHERE list_contains($files::BIGINT[], file)
)
