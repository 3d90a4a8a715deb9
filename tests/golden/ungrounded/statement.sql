SELECT
  COUNT(*) FILTER(WHERE
    LEN(
      LIST_FILTER(
        ledger.targets,
        LAMBDA element : REGEXP_MATCHES(
          LOWER(element),
          CONCAT('(^|[^a-z0-9_./-])', REGEXP_ESCAPE(LOWER($target_1)), '($|[^a-z0-9_./-])')
        )
      )
    ) > 0) AS target_1,
  COUNT(*) FILTER(WHERE
    ledger.outcome <> 'unknown') AS known_outcomes,
  COUNT(ledger.exit_code) AS known_exit_codes
FROM ledger
WHERE
  ledger.trajectory_id = $trajectory_id;

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
      REGEXP_MATCHES(
        LOWER(ledger.tool),
        CONCAT('(^|[^a-z0-9_./-])', REGEXP_ESCAPE(LOWER($tool_1)), '($|[^a-z0-9_./-])')
      )
      OR REGEXP_MATCHES(
        LOWER(ledger.act),
        CONCAT('(^|[^a-z0-9_./-])', REGEXP_ESCAPE(LOWER($tool_1)), '($|[^a-z0-9_./-])')
      )
      OR REGEXP_MATCHES(
        LOWER(
          CASE
            WHEN STARTS_WITH(ledger.act, ledger.tool || '.')
            THEN SUBSTR(ledger.act, LENGTH(ledger.tool) + 2)
          END
        ),
        CONCAT('(^|[^a-z0-9_./-])', REGEXP_ESCAPE(LOWER($tool_1)), '($|[^a-z0-9_./-])')
      )
    )
)
SELECT
  COUNT(*) AS value
FROM selected;
