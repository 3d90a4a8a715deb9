-- purpose: give staged steps the id that tells their trajectory from another one of its id
-- params: old VARCHAR[], new VARCHAR[]
UPDATE incoming_steps
SET trajectory_id = ($new::VARCHAR[])[list_position($old::VARCHAR[], trajectory_id)]
WHERE list_contains($old::VARCHAR[], trajectory_id)
