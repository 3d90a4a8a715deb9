-- purpose: staged trajectories whose id is a placeholder: another file has it with other content
-- params: sources VARCHAR[], formats VARCHAR[], naming VARCHAR[]
-- columns: file BIGINT, trajectory_id VARCHAR
-- An id that tells a run from others holds a digit, whatever makes it: a number, a time, a UUID.
SELECT i.file, i.trajectory_id
FROM incoming_runs AS i
JOIN verdicts AS v USING (trajectory_id)
JOIN trajectories AS t USING (trajectory_id)
WHERE
    v.verdict = 'changed'
    AND list_contains($naming::VARCHAR[], ($formats::VARCHAR[])[i.file + 1])
    AND t.source <> ($sources::VARCHAR[])[i.file + 1]
    AND NOT regexp_matches(split_part(i.trajectory_id, '/', 1), '\d')
ORDER BY i.first_piece
