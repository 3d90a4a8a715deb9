WITH selected AS (
  SELECT
    ledger.*
  FROM ledger
  WHERE
    ledger.trajectory_id = $trajectory_id
    AND (ledger.step, ledger.call) > ($after_step, $after_call)
    AND (ledger.step, ledger.call) < ($before_step, $before_call)
    AND NOT ledger.act IS NULL
    AND NOT ledger.is_copied
    AND ledger.act <> 'malformed'
)
SELECT DISTINCT
  step
FROM selected
ORDER BY
  step
LIMIT $limit;
