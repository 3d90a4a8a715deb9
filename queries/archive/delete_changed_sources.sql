-- purpose: forget the files that replaced trajectories came from: they are no longer as loaded
DELETE FROM sources
WHERE source IN (
    SELECT t.source
    FROM trajectories AS t
    JOIN verdicts AS v USING (trajectory_id)
    WHERE v.verdict = 'changed'
)
