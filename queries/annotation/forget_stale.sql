-- purpose: forget annotations of steps of the touched trajectories whose texts are no longer what the model saw
DELETE FROM annotations
WHERE trajectory_id IN (SELECT trajectory_id FROM touched) AND NOT EXISTS (
    SELECT 1 FROM steps
    WHERE steps.trajectory_id = annotations.trajectory_id AND steps.step = annotations.step AND steps.call = annotations.call
        AND texts_hash(steps.action, steps.observation) = annotations.texts
);
