-- purpose: files by the number of writes that a receipt confirms
-- params: trajectory_id VARCHAR
-- columns: trajectory_id VARCHAR, path VARCHAR, writes BIGINT, attempts BIGINT, reads BIGINT, undone BIGINT, first_write BIGINT, last_write BIGINT
SELECT
    trajectory_id, path,
    count(*) FILTER (kind = 'write' AND confirmed) AS writes,
    count(*) FILTER (kind = 'write' AND NOT confirmed) AS attempts,
    count(*) FILTER (kind = 'read') AS reads,
    count(*) FILTER (kind = 'undo') AS undone,
    min(step) FILTER (kind = 'write' AND confirmed) AS first_write,
    max(step) FILTER (kind = 'write' AND confirmed) AS last_write
FROM file_events
WHERE $trajectory_id IS NULL OR trajectory_id = $trajectory_id
GROUP BY trajectory_id, path
ORDER BY writes DESC, attempts DESC, trajectory_id, path;
