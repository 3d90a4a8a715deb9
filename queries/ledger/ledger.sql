-- purpose: one ledger row per archived call of the touched trajectories
-- makes: ledger
INSERT INTO ledger
SELECT
    calls.trajectory_id, calls.step, calls.call,
    calls.tool, acts.act, steps.action, acts.targets,
    -- without an observation, only the source's own fields can tell
    coalesce(outcome, CASE
        WHEN steps.exit_code <> 0 OR steps.is_error THEN 'failure'
        WHEN steps.exit_code = 0 OR NOT steps.is_error THEN 'success'
        ELSE 'unknown'
    END),
    quote, coalesce(changes, []), coalesce(delta, []),
    coalesce(outcomes.exit_code, steps.exit_code), error, acts.paths, NULL, calls.is_copied, 'mechanical'
FROM calls
JOIN acts USING (id)
JOIN steps ON steps.rowid = calls.id
LEFT JOIN outcomes USING (id)
LEFT JOIN deltas USING (id)
LEFT JOIN changed USING (id)
WHERE steps.trajectory_id IN (SELECT trajectory_id FROM touched)
ORDER BY calls.trajectory_id, calls.step, calls.call;
