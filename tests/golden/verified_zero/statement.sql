WITH selected AS (
  SELECT
    ledger.*
  FROM ledger
  WHERE
    ledger.trajectory_id = $trajectory_id
    AND NOT ledger.act IS NULL
    AND NOT ledger.is_copied
    AND ledger.act <> 'malformed'
    AND (
      LEN(
        LIST_FILTER(
          ledger.targets,
          LAMBDA element : REGEXP_MATCHES(
            LOWER(element),
            CONCAT('(^|[^a-z0-9_./-])', REGEXP_ESCAPE(LOWER($target_1)), '($|[^a-z0-9_./-])')
          )
        )
      ) > 0
      AND LOWER(ledger.outcome) = LOWER($outcome_1)
    )
)
SELECT
  COUNT(*) AS value
FROM selected;

WITH selected AS (
  SELECT
    ledger.*
  FROM ledger
  WHERE
    ledger.trajectory_id = $trajectory_id
    AND ledger.step <= $hi
    AND NOT ledger.act IS NULL
    AND NOT ledger.is_copied
    AND ledger.act <> 'malformed'
    AND LEN(
      LIST_FILTER(
        ledger.targets,
        LAMBDA element : REGEXP_MATCHES(
          LOWER(element),
          CONCAT('(^|[^a-z0-9_./-])', REGEXP_ESCAPE(LOWER($target_1)), '($|[^a-z0-9_./-])')
        )
      )
    ) > 0
)
SELECT DISTINCT
  step
FROM selected
ORDER BY
  step
LIMIT $limit;
