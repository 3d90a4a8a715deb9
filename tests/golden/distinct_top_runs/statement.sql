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
), valued AS (
  SELECT
    step,
    call,
    outcome,
    error,
    [targets[1]] AS keys
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
QUALIFY
  CASE
    WHEN CAST($limit AS BIGINT) IS NULL
    THEN RANK() OVER (ORDER BY count DESC) = 1
    ELSE ROW_NUMBER() OVER (ORDER BY count DESC, first_seen) <= CAST($limit AS BIGINT)
  END
ORDER BY
  count DESC,
  first_seen;

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
    [raw] AS keys
  FROM selected
), events AS (
  SELECT
    step,
    call,
    ROW_NUMBER() OVER (ORDER BY step, call) AS place
  FROM ledger
  WHERE
    trajectory_id = $trajectory_id AND NOT act IS NULL AND NOT is_copied
), placed AS (
  SELECT
    step,
    call,
    outcome,
    ARRAY_TO_STRING(LIST_FILTER(keys, LAMBDA k : k <> ''), ', ') AS key,
    place
  FROM valued
  INNER JOIN events
    USING (step, call)
), stretched AS (
  SELECT
    *,
    place - ROW_NUMBER() OVER (PARTITION BY LOWER(key) ORDER BY place) AS stretch
  FROM placed
  WHERE
    key <> ''
)
SELECT
  ARG_MIN(key, place) AS key,
  COUNT(*) AS count,
  LIST_SORT(LIST_DISTINCT(ARRAY_AGG(step))) AS steps,
  HISTOGRAM(outcome) AS outcomes,
  COUNT(*) OVER () AS total
FROM stretched
GROUP BY
  LOWER(key),
  stretch
ORDER BY
  count DESC,
  MIN(place)
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
), events AS (
  SELECT
    step,
    call,
    ROW_NUMBER() OVER (ORDER BY step, call) AS place
  FROM ledger
  WHERE
    trajectory_id = $trajectory_id AND NOT act IS NULL AND NOT is_copied
), placed AS (
  SELECT
    step,
    call,
    outcome,
    ARRAY_TO_STRING(LIST_FILTER(keys, LAMBDA k : k <> ''), ', ') AS key,
    place
  FROM valued
  INNER JOIN events
    USING (step, call)
), stretched AS (
  SELECT
    *,
    place - ROW_NUMBER() OVER (PARTITION BY LOWER(key) ORDER BY place) AS stretch
  FROM placed
  WHERE
    key <> ''
)
SELECT
  ARG_MIN(key, place) AS key,
  COUNT(*) AS count,
  LIST_SORT(LIST_DISTINCT(ARRAY_AGG(step))) AS steps,
  HISTOGRAM(outcome) AS outcomes,
  COUNT(*) OVER () AS total
FROM stretched
GROUP BY
  LOWER(key),
  stretch
ORDER BY
  count DESC,
  MIN(place)
LIMIT $limit;
