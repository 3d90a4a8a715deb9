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
SELECT
  step,
  tool,
  outcome,
  LIST_TRANSFORM(changes, LAMBDA c : CONCAT(c.object, '.', c.property, ' → ', c."value")) AS changes
FROM selected
ORDER BY
  step,
  call
LIMIT $limit;
