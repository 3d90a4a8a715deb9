-- purpose: the assignments on lines that commits add to files of one form; a value that goes on over lines has none
-- params: form VARCHAR, pattern VARCHAR
-- makes: commit_assignments
INSERT INTO commit_assignments
WITH sections AS (
    SELECT id, position, section
    FROM commit_sections
    JOIN commit_files USING (id, position)
    WHERE form = $form AND status <> 'deleted'
    UNION ALL
    SELECT commit_files.id, position, substr(observation, "start" + 1, "end" - "start") AS section
    FROM (FROM commit_files ANTI JOIN commit_sections USING (id, position)) AS commit_files
    JOIN steps ON steps.rowid = commit_files.id
    WHERE form = $form AND status <> 'deleted' AND "end" > "start" AND steps.trajectory_id IN (SELECT trajectory_id FROM touched)
),
lines AS (
    SELECT
        id, position, unnest(found) AS line, generate_subscripts(found, 1) AS place
    FROM (
        SELECT id, position, regexp_extract_all(substr(section, nullif(strpos(section, E'\n@@ '), 0)), $pattern) AS found
        FROM sections
    )
),
parted AS (
    SELECT id, position, place, regexp_extract(line, $pattern, ['name', 'value']) AS parts FROM lines
),
trimmed AS (
    SELECT id, position, place, trim(parts.name, '"''') AS name, trim(parts."value", E' \t\r') AS "value" FROM parted
),
quoted AS (
    SELECT
        *,
        regexp_extract(
            "value", '^(?:[rbufRBUF]{1,2})?("(?:[^"\\]|\\.)*"|''(?:[^''\\]|\\.)*''|`[^`]*`)\s*[,;]?\s*(?:(?:#|//).*)?$', 1
        ) AS literal,
        regexp_replace(regexp_replace("value", '\s+(?:#|//|;;?\s).*$', ''), '\s*[,;]+$', '') AS plain
    FROM trimmed
)
SELECT id, position, place, name, CASE WHEN literal <> '' THEN literal[2:-2] ELSE plain END
FROM quoted
WHERE
    name <> ''
    AND (literal <> '' OR NOT (
        plain = '' OR regexp_matches(plain, '^(#|//|"""|''''''|[|>][+-]?$)|[(\[{\\]$')
    ));
