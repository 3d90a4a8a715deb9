-- purpose: made-up ledgers of a text world, alike in vocabulary and skew to the bundled ones; equal numbers give equal rows
-- params: trajectories BIGINT, steps BIGINT
INSERT INTO ledger BY NAME
WITH drawn AS (
    SELECT
        t,
        s,
        hash(t * 1000003 + s) % 100 AS kind,
        hash(t * 1000003 + s, 1) % 100 AS luck,
        hash(t * 1000003 + s, 2) % 8 AS thing,
        hash(t * 1000003 + s, 3) % 14 AS place
    FROM range($trajectories) AS trajectories (t), range($steps) AS steps (s)
),
named AS (
    SELECT
        *,
        ['mug', 'apple', 'knife', 'plate', 'bread', 'soap bar', 'cloth', 'book'][CAST(thing AS BIGINT) + 1] || ' ' || (1 + thing % 3) AS held,
        ['drawer', 'cabinet', 'shelf', 'fridge', 'countertop', 'sink basin', 'garbage can'][CAST(place AS BIGINT) % 7 + 1] || ' ' || (1 + place) AS spot,
        CASE
            WHEN kind < 45 THEN 'go'
            WHEN kind < 60 THEN 'open'
            WHEN kind < 70 THEN 'take'
            WHEN kind < 78 THEN 'move'
            WHEN kind < 84 THEN 'close'
            WHEN kind < 88 THEN 'clean'
            WHEN kind < 95 THEN 'execute_bash'
            ELSE 'look'
        END AS tool
    FROM drawn
)
SELECT
    printf('run-%06d', t) AS trajectory_id,
    s AS step,
    0 AS call,
    tool,
    CASE tool WHEN 'go' THEN 'go to' WHEN 'execute_bash' THEN ['execute_bash.pytest', 'execute_bash.ls', 'execute_bash.git'][CAST(thing AS BIGINT) % 3 + 1] ELSE tool END AS act,
    CASE tool
        WHEN 'go' THEN 'go to ' || spot
        WHEN 'open' THEN 'open ' || spot
        WHEN 'close' THEN 'close ' || spot
        WHEN 'take' THEN 'take ' || held || ' from ' || spot
        WHEN 'move' THEN 'move ' || held || ' to ' || spot
        WHEN 'clean' THEN 'clean ' || held || ' with ' || spot
        WHEN 'execute_bash' THEN ['pytest -q tests/test_' || place || '.py', 'ls src', 'git diff'][CAST(thing AS BIGINT) % 3 + 1]
        ELSE 'look'
    END AS raw,
    CASE
        WHEN tool IN ('go', 'open', 'close') THEN [spot]
        WHEN tool IN ('take', 'move', 'clean') THEN [held, spot]
        WHEN tool = 'execute_bash' AND thing % 3 = 0 THEN ['tests/test_' || place || '.py']
        ELSE CAST([] AS VARCHAR[])
    END AS targets,
    CASE WHEN tool = 'look' THEN 'unknown' WHEN luck < 75 THEN 'success' WHEN luck < 90 THEN 'failure' ELSE 'no_effect' END AS outcome,
    CASE
        WHEN luck >= 75 THEN []
        WHEN tool IN ('open', 'close') THEN [{'object': spot, 'property': 'state', 'value': tool, 'verified': true}]
        WHEN tool = 'move' THEN [{'object': held, 'property': 'location', 'value': spot, 'verified': true}]
        ELSE []
    END AS changes,
    CAST([] AS VARCHAR[]) AS delta,
    CASE WHEN tool = 'execute_bash' THEN CASE WHEN luck < 75 THEN 0 ELSE 1 END END AS exit_code,
    CASE WHEN luck BETWEEN 75 AND 89 AND tool <> 'look' THEN ['Nothing happens.', 'It is locked.', '1 failed'][CAST(thing AS BIGINT) % 3 + 1] END AS error,
    CASE WHEN tool = 'execute_bash' AND thing % 3 = 0 THEN ['tests/test_' || place || '.py'] ELSE CAST([] AS VARCHAR[]) END AS paths,
    false AS is_copied,
    'mechanical' AS provenance
FROM named
ORDER BY t, s
