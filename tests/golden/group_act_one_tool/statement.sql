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
), valued AS (
  SELECT
    step,
    call,
    outcome,
    error,
    [
      CASE
        WHEN MIN(tool) OVER () = MAX(tool) OVER ()
        AND COUNT(tool) OVER () = COUNT(*) OVER ()
        AND STARTS_WITH(act, tool || '.')
        THEN SUBSTRING(act, LENGTH(tool) + 2)
        ELSE act
      END
    ] AS keys
  FROM selected
), keyed AS (
  SELECT
    step,
    call,
    outcome,
    key,
    position
  FROM (
    SELECT
      step,
      call,
      outcome,
      UNNEST(keys) AS key,
      GENERATE_SUBSCRIPTS(keys, 1) AS position
    FROM valued
  )
  WHERE
    key <> ''
), counted AS (
  SELECT
    ARG_MIN(key, {'step': step, 'call': call, 'position': position}) AS key,
    COUNT(*) AS count,
    LIST_SORT(LIST_DISTINCT(ARRAY_AGG(step))) AS steps,
    HISTOGRAM(outcome) AS outcomes,
    MIN({'step': step, 'call': call, 'position': position}) AS first_seen
  FROM (
    SELECT
      step,
      call,
      ANY_VALUE(outcome) AS outcome,
      ARG_MIN(key, position) AS key,
      MIN(position) AS position
    FROM keyed
    GROUP BY
      step,
      call,
      LOWER(key)
  )
  GROUP BY
    LOWER(key)
)
SELECT
  key,
  count,
  steps,
  outcomes,
  COUNT(*) OVER () AS total
FROM counted
ORDER BY
  count DESC,
  first_seen
LIMIT $limit;
