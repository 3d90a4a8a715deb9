-- purpose: the table ledger, in the order of the steps
SELECT * FROM ledger ORDER BY trajectory_id, step, call
