WITH selected AS (
  SELECT
    ledger.*
  FROM ledger
  WHERE
    ledger.trajectory_id = $trajectory_id
    AND NOT ledger.act IS NULL
    AND NOT ledger.is_copied
    AND ledger.act <> 'malformed'
    AND LEN(
      LIST_FILTER(
        ledger.changes,
        LAMBDA element : REGEXP_MATCHES(
          LOWER(CONCAT(element."object", '.', element."property", ' → ', element."value")),
          CONCAT('(^|[^a-z0-9_./-])', REGEXP_ESCAPE(LOWER($change_1)), '($|[^a-z0-9_./-])')
        )
        OR REGEXP_MATCHES(
          LOWER(element."object"),
          CONCAT('(^|[^a-z0-9_./-])', REGEXP_ESCAPE(LOWER($change_1)), '($|[^a-z0-9_./-])')
        )
        OR REGEXP_MATCHES(
          LOWER(element."property"),
          CONCAT('(^|[^a-z0-9_./-])', REGEXP_ESCAPE(LOWER($change_1)), '($|[^a-z0-9_./-])')
        )
        OR REGEXP_MATCHES(
          LOWER(element."value"),
          CONCAT('(^|[^a-z0-9_./-])', REGEXP_ESCAPE(LOWER($change_1)), '($|[^a-z0-9_./-])')
        )
        OR REGEXP_MATCHES(
          LOWER(CONCAT(element."property", ' → ', element."value")),
          CONCAT('(^|[^a-z0-9_./-])', REGEXP_ESCAPE(LOWER($change_1)), '($|[^a-z0-9_./-])')
        )
      )
    ) > 0
)
SELECT
  step,
  tool,
  outcome,
  LIST_TRANSFORM(changes, LAMBDA c : CONCAT(c.object, '.', c.property, ' → ', c."value")) AS changes,
  raw
FROM selected
ORDER BY
  step,
  call
LIMIT $limit;
