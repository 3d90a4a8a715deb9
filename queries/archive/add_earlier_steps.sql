-- purpose: put the archived steps that come before the staged ones ahead of them, to be numbered and compared as one
INSERT INTO incoming_steps BY NAME
WITH archived AS (
    SELECT *, row_number() OVER (PARTITION BY trajectory_id ORDER BY step, call) AS rank
    FROM steps
    WHERE trajectory_id IN (SELECT trajectory_id FROM earlier_steps WHERE n_before > 0)
)
SELECT
    -row_number() OVER (ORDER BY a.trajectory_id, a.rank DESC) AS position,
    a.trajectory_id, NULL::BIGINT AS step, a.call, a.action, a.observation, a.tool, a.args,
    a.exit_code, a.is_error, a.is_copied, a.ts, a.source_ref,
    coalesce(sha256(a.action), '') AS action_hash, coalesce(sha256(a.observation), '') AS observation_hash,
    coalesce(sha256(a.args), '') AS args_hash
FROM archived AS a
JOIN earlier_steps AS e USING (trajectory_id)
WHERE a.rank <= e.n_before
