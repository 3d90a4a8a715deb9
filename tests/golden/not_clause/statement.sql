WITH selected AS (
  SELECT
    ledger.*
  FROM ledger
  WHERE
    ledger.trajectory_id = $trajectory_id
    AND NOT ledger.act IS NULL
    AND NOT ledger.is_copied
    AND ledger.act <> 'malformed'
    AND NOT COALESCE(
      LOWER(ledger.outcome) = LOWER($not_outcome_1)
      AND (
        REGEXP_MATCHES(
          LOWER(ledger.tool),
          CONCAT('(^|[^a-z0-9_./-])', REGEXP_ESCAPE(LOWER($not_tool_1)), '($|[^a-z0-9_./-])')
        )
        OR REGEXP_MATCHES(
          LOWER(ledger.act),
          CONCAT('(^|[^a-z0-9_./-])', REGEXP_ESCAPE(LOWER($not_tool_1)), '($|[^a-z0-9_./-])')
        )
        OR REGEXP_MATCHES(
          LOWER(
            CASE
              WHEN STARTS_WITH(ledger.act, ledger.tool || '.')
              THEN SUBSTR(ledger.act, LENGTH(ledger.tool) + 2)
            END
          ),
          CONCAT('(^|[^a-z0-9_./-])', REGEXP_ESCAPE(LOWER($not_tool_1)), '($|[^a-z0-9_./-])')
        )
      ),
      FALSE
    )
)
SELECT
  COUNT(*) AS value
FROM selected;
