-- purpose: complete the ledger rows of the touched trajectories with what their annotations add; what the log itself says is never overwritten
-- makes: ledger
UPDATE ledger SET
    targets = merged.targets, outcome = merged.outcome, quote = merged.quote, changes = merged.changes, provenance = merged.provenance
FROM (
    -- what an earlier merge added is known by the provenance and taken back first
    WITH mechanical AS (
        SELECT
            trajectory_id, step, call, ledger.provenance AS provenance_was,
            CASE WHEN 'targets' IN added THEN [] ELSE targets END AS targets,
            CASE WHEN 'outcome' IN added THEN 'unknown' ELSE outcome END AS outcome,
            CASE WHEN 'outcome' IN added THEN NULL ELSE quote END AS quote,
            CASE WHEN 'changes' IN added THEN [] ELSE changes END AS changes
        FROM ledger, LATERAL (SELECT string_split(replace(provenance, 'annotated: ', ''), ', ') AS added)
        WHERE trajectory_id IN (SELECT trajectory_id FROM touched)
    ),
    added AS (
        SELECT
            mechanical.*, annotations.targets AS said_targets, annotations.outcome AS said_outcome,
            annotations.quote AS said_quote, annotations.changes AS said_changes,
            len(mechanical.targets) = 0 AND len(coalesce(annotations.targets, [])) > 0 AS adds_targets,
            mechanical.outcome = 'unknown' AND coalesce(annotations.outcome, 'unknown') <> 'unknown' AS adds_outcome,
            len(mechanical.changes) = 0 AND len(coalesce(annotations.changes, [])) > 0
                AND mechanical.outcome IN ('unknown', 'success') AND annotations.outcome = 'success' AS adds_changes
        FROM mechanical
        LEFT JOIN annotations USING (trajectory_id, step, call)
    )
    SELECT
        trajectory_id, step, call, provenance_was,
        CASE WHEN adds_targets THEN said_targets ELSE targets END AS targets,
        CASE WHEN adds_outcome THEN said_outcome ELSE outcome END AS outcome,
        CASE WHEN adds_outcome THEN said_quote ELSE quote END AS quote,
        CASE WHEN adds_changes THEN said_changes ELSE changes END AS changes,
        CASE WHEN adds_targets OR adds_outcome OR adds_changes
            THEN 'annotated: ' || concat_ws(', ',
                CASE WHEN adds_targets THEN 'targets' END,
                CASE WHEN adds_outcome THEN 'outcome' END,
                CASE WHEN adds_changes THEN 'changes' END)
            ELSE 'mechanical'
        END AS provenance
    FROM added
) AS merged
WHERE ledger.trajectory_id = merged.trajectory_id AND ledger.step = merged.step AND ledger.call = merged.call
    AND (merged.provenance <> 'mechanical' OR merged.provenance_was <> 'mechanical');
