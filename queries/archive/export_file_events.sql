-- purpose: the table file_events, in the order of the steps
SELECT * FROM file_events ORDER BY trajectory_id, step, call
