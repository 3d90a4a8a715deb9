-- purpose: the hash of each staged row as it will be archived
CREATE OR REPLACE TEMP TABLE hashed_steps AS
SELECT
    n.trajectory_id,
    n.rank,
    step_hash(
        n.step, n.call, i.action, i.observation, i.tool, i.args,
        i.exit_code, i.is_error, i.is_copied, i.ts, coalesce(i.source_ref, n.original_step)
    ) AS row_hash
FROM incoming_steps AS i
JOIN numbered_steps AS n USING (position)
