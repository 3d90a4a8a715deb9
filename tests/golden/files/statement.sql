WITH selected AS (
  SELECT
    ledger.*
  FROM ledger
  WHERE
    ledger.trajectory_id = $trajectory_id
    AND NOT ledger.act IS NULL
    AND NOT ledger.is_copied
    AND ledger.act <> 'malformed'
), valued AS (
  SELECT
    step,
    call,
    outcome,
    error,
    LIST_TRANSFORM(
      paths,
      LAMBDA p : COALESCE(
        NULLIF(REGEXP_EXTRACT(RTRIM(p, '/'), '(?s)^(.*?)/+[^/]*$', 1), ''),
        CASE WHEN STARTS_WITH(p, '/') THEN '/' WHEN p <> '' THEN '.' END
      )
    ) AS keys
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

WITH selected AS (
  SELECT
    ledger.*
  FROM ledger
  WHERE
    ledger.trajectory_id = $trajectory_id
    AND NOT ledger.act IS NULL
    AND NOT ledger.is_copied
    AND ledger.act <> 'malformed'
    AND LEN(LIST_FILTER(ledger.paths, LAMBDA element : LOWER(element) = LOWER($path_1))) > 0
)
SELECT
  COUNT(*) AS value
FROM selected;

SELECT
  COUNT(*) FILTER(WHERE
    LEN(
      LIST_FILTER(
        ledger.paths,
        LAMBDA element : REGEXP_MATCHES(
          LOWER(element),
          CONCAT('(^|[^a-z0-9_./-])', REGEXP_ESCAPE(LOWER($path_1)), '($|[^a-z0-9_./-])')
        )
      )
    ) > 0) AS path_1,
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
  JOIN steps
    USING (trajectory_id, step, call)
  WHERE
    ledger.trajectory_id = $trajectory_id
    AND NOT ledger.act IS NULL
    AND NOT ledger.is_copied
    AND ledger.act <> 'malformed'
    AND (
      REGEXP_MATCHES(
        LOWER(steps.observation),
        CONCAT('(^|[^a-z0-9_./-])', REGEXP_ESCAPE(LOWER($observation_1)), '($|[^a-z0-9_./-])')
      )
      AND STARTS_WITH(LOWER(ledger.error), LOWER($error_1))
    )
)
SELECT
  COUNT(*) AS value
FROM selected;
