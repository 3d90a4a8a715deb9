WITH selected AS (
  SELECT
    ledger.*
  FROM ledger
  WHERE
    ledger.trajectory_id = $trajectory_id
    AND NOT ledger.act IS NULL
    AND NOT ledger.is_copied
    AND (
      REGEXP_MATCHES(
        LOWER(ledger.act),
        CONCAT('(^|[^a-z0-9_./-])', REGEXP_ESCAPE(LOWER($action_1)), '($|[^a-z0-9_./-])')
      )
      OR REGEXP_MATCHES(
        LOWER(ledger.raw),
        CONCAT('(^|[^a-z0-9_./-])', REGEXP_ESCAPE(LOWER($action_1)), '($|[^a-z0-9_./-])')
      )
    )
)
SELECT DISTINCT
  step
FROM selected
ORDER BY
  step
LIMIT $limit;
