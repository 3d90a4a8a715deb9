-- purpose: the hash of each staged row as it will be archived
-- The same as the macro step_hash of that row; the hashes of the long texts come with the rows.
CREATE OR REPLACE TEMP TABLE hashed_steps AS
SELECT
    n.trajectory_id,
    n.rank,
    sha256(concat_ws(
        '/',
        n.step, n.call,
        i.action_hash, i.observation_hash, coalesce(sha256(i.tool), ''), i.args_hash,
        coalesce(i.exit_code::VARCHAR, ''), coalesce(i.is_error::VARCHAR, ''), i.is_copied,
        coalesce(epoch_us(i.ts)::VARCHAR, ''), coalesce(sha256(coalesce(i.source_ref, n.original_step)), '')
    )) AS row_hash
FROM incoming_steps AS i
JOIN numbered_steps AS n USING (position)
