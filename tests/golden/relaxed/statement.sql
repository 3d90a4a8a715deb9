WITH selected AS (
  SELECT
    ledger.*
  FROM ledger
  WHERE
    ledger.trajectory_id = $trajectory_id
    AND LEN(
      LIST_FILTER(ledger.targets, LAMBDA element : CONTAINS(LOWER(element), LOWER($target_1)))
    ) > 0
)
SELECT DISTINCT
  step
FROM selected
ORDER BY
  step
LIMIT $limit;
