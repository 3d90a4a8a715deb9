-- purpose: archive the staged trajectories that are new, grown or replaced
-- params: sources VARCHAR[], formats VARCHAR[], loaded_at TIMESTAMP
INSERT INTO trajectories BY NAME
SELECT
    i.trajectory_id,
    i.task,
    i.domain,
    ($sources::VARCHAR[])[i.file + 1] AS source,
    ($formats::VARCHAR[])[i.file + 1] AS format,
    i.n_steps,
    i.content_hash,
    i.metadata::JSON AS metadata,
    $loaded_at::TIMESTAMP AS loaded_at
FROM incoming_runs AS i
JOIN verdicts AS v USING (trajectory_id)
WHERE v.verdict IN ('new', 'grown', 'answered', 'changed')
ORDER BY i.first_piece
