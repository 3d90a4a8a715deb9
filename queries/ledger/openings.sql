-- purpose: how each observation begins, and the longest receipt that it begins with
-- makes: openings(id, stated_code, is_error, head, receipt, outcome, error_at, quote, quote_start)
CREATE OR REPLACE TEMP TABLE openings AS
WITH starts AS MATERIALIZED (
    -- reads steps alone: a join would copy the observations
    SELECT rowid AS id, exit_code AS stated_code, is_error, left(observation, 600) AS start
    FROM steps
    WHERE
        trajectory_id IN (SELECT trajectory_id FROM touched) AND rowid NOT IN (SELECT id FROM commits)
        AND observation IS NOT NULL
),
heads AS (
    SELECT
        id, stated_code, is_error,
        CASE WHEN is_blank THEN ltrim(start, E' \n\r\t') ELSE start END AS head,
        CASE WHEN is_blank THEN length(start) - length(ltrim(start, E' \n\r\t')) ELSE 0 END AS blank
    FROM (SELECT *, contains(E' \n\r\t', left(start, 1)) AS is_blank FROM starts)
),
known AS (
    SELECT *, lower(left(opening, 3)) AS lead, lower(regexp_extract(opening, '(?s)^(.*?)(\{(?:1|2|path|tool)\}|$)', 1)) AS plain FROM vocabulary.receipts
),
keyed AS (
    SELECT heads.id, tool, targets, paths[1] AS path, head, unnest(keys) AS key, lower(left(head, 100)) AS lowered
    FROM heads
    JOIN calls USING (id)
    JOIN acts USING (id)
    WHERE act <> 'malformed' AND lower(left(head, 3)) IN (SELECT lead FROM known)
),
likely AS (
    -- the first characters and the plain start of a receipt, before the dearer comparison of all of it
    SELECT id, receipt, outcome, error_at, head, vocabulary.filled(opening, targets, path, tool) AS opening
    FROM keyed
    JOIN known ON known.applies_to = keyed.key AND known.lead = left(keyed.lowered, 3) AND starts_with(lowered, plain)
),
matched AS (
    SELECT id, receipt, outcome, error_at, length(opening) AS size
    FROM likely
    WHERE starts_with(lower(left(head, length(opening))), lower(opening))
),
longest AS (
    SELECT
        id, max(size) AS size,
        max_by(receipt, size) AS receipt, max_by(outcome, size) AS outcome, max_by(error_at, size) AS error_at
    FROM matched
    GROUP BY id
)
SELECT
    id, stated_code, is_error, head, receipt, outcome, error_at,
    left(head, size) AS quote,
    CASE WHEN size IS NOT NULL THEN blank END AS quote_start
FROM heads
LEFT JOIN longest USING (id);
