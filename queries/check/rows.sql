-- purpose: steps without a ledger row, and rows without a step
-- columns: trajectory_id VARCHAR, step BIGINT, problem VARCHAR
SELECT trajectory_id, step, 'no row in the ledger' AS problem FROM steps ANTI JOIN ledger USING (trajectory_id, step, call)
UNION ALL
SELECT trajectory_id, step, 'a row of the ledger without a step' FROM ledger ANTI JOIN steps USING (trajectory_id, step, call)
UNION ALL
SELECT trajectory_id, step, 'a file event without a step' FROM file_events ANTI JOIN steps USING (trajectory_id, step, call)
