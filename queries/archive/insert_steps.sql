-- purpose: archive the staged steps that are not archived yet
INSERT INTO steps BY NAME
SELECT
    n.trajectory_id,
    n.step,
    n.call,
    i.action,
    i.observation,
    i.tool,
    i.args,
    CASE WHEN json_valid(i.args) THEN i.args::JSON END AS args_json,
    i.exit_code,
    i.is_error,
    i.is_copied,
    i.ts,
    coalesce(i.source_ref, n.original_step) AS source_ref
FROM incoming_steps AS i
JOIN numbered_steps AS n USING (position)
JOIN verdicts AS v ON v.trajectory_id = n.trajectory_id
WHERE v.verdict IN ('new', 'changed', 'answered') OR (v.verdict = 'grown' AND n.rank > v.n_known)
