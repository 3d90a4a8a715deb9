-- purpose: what each staged trajectory is to the archive: new, unchanged, grown, answered, shorter, changed
-- A call without a result may have got one since (answered), or have had none yet in an older copy (shorter).
CREATE OR REPLACE TEMP TABLE verdicts AS
WITH differing AS (
    SELECT k.trajectory_id
    FROM trajectories AS k
    JOIN incoming_runs AS i USING (trajectory_id)
    WHERE i.content_hash <> k.content_hash
),
archived AS (
    SELECT
        s.trajectory_id, s.step, s.call,
        step_hash(
            s.step, s.call, s.action, s.observation, s.tool, s.args,
            s.exit_code, s.is_error, s.is_copied, s.ts, s.source_ref
        ) AS row_hash,
        CASE WHEN s.observation IS NULL THEN row_hash ELSE step_hash(
            s.step, s.call, s.action, NULL, s.tool, s.args,
            NULL, NULL, s.is_copied, s.ts, s.source_ref
        ) END AS call_hash
    FROM steps AS s
    SEMI JOIN differing USING (trajectory_id)
),
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY trajectory_id ORDER BY step, call) AS rank
    FROM archived
),
incoming AS (
    SELECT
        h.trajectory_id, h.rank, h.row_hash,
        CASE WHEN i.observation IS NULL THEN h.row_hash ELSE step_hash(
            n.step, n.call, i.action, NULL, i.tool, i.args,
            NULL, NULL, i.is_copied, i.ts, coalesce(i.source_ref, n.original_step)
        ) END AS call_hash
    FROM hashed_steps AS h
    SEMI JOIN differing USING (trajectory_id)
    JOIN numbered_steps AS n USING (trajectory_id, rank)
    JOIN incoming_steps AS i USING (position)
),
differences AS (
    SELECT
        r.trajectory_id,
        arg_min(r.step, r.rank) FILTER (r.call_hash <> h.row_hash AND r.row_hash <> h.call_hash) AS step,
        arg_min(r.step, r.rank) FILTER (r.row_hash = h.call_hash) AS answered,
        arg_min(r.step, r.rank) FILTER (r.call_hash = h.row_hash) AS unanswered
    FROM ranked AS r
    JOIN incoming AS h USING (trajectory_id, rank)
    WHERE r.row_hash <> h.row_hash
    GROUP BY r.trajectory_id
)
SELECT
    i.trajectory_id,
    CASE
        WHEN k.trajectory_id IS NULL THEN 'new'
        WHEN i.content_hash = k.content_hash THEN 'unchanged'
        WHEN d.step IS NOT NULL THEN 'changed'
        WHEN d.answered IS NOT NULL AND (d.unanswered IS NOT NULL OR i.n_steps < k.n_steps) THEN 'changed'
        WHEN d.answered IS NOT NULL THEN 'answered'
        WHEN d.unanswered IS NOT NULL AND i.n_steps > k.n_steps THEN 'changed'
        WHEN i.n_steps > k.n_steps THEN 'grown'
        ELSE 'shorter'
    END AS verdict,
    coalesce(k.n_steps, 0) AS n_known,
    coalesce(d.step, d.answered, d.unanswered) AS different_step
FROM incoming_runs AS i
LEFT JOIN trajectories AS k USING (trajectory_id)
LEFT JOIN differences AS d USING (trajectory_id)
