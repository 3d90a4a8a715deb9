-- purpose: the ledger in long form, for engines without lists (design: docs/architecture.md, "Other engines")
CREATE OR REPLACE MACRO edged(folded) AS concat(
    chr(2), regexp_replace(folded, '([^a-z0-9_./-])', concat(chr(3), '\1', chr(2)), 'g'), chr(3)
);
COMMENT ON MACRO edged IS 'A text in lower case with U+0002 where a word may begin and U+0003 where one may end.';

COMMENT ON MACRO edged IS 'A folded text with U+0002 where a word may begin and U+0003 where one may end.';

CREATE OR REPLACE VIEW events AS
SELECT
    trajectory_id,
    step,
    "call",
    tool,
    act,
    own,
    lower(act) AS act_folded,
    lower(own) AS own_folded,
    raw,
    outcome,
    error,
    exit_code,
    CASE WHEN act IS NULL OR is_copied THEN 0 WHEN act = 'malformed' THEN 2 ELSE 1 END AS kind,
    CASE
        WHEN NOT (act IS NULL OR is_copied)
            THEN row_number() OVER (
                PARTITION BY trajectory_id, act IS NULL OR is_copied ORDER BY step, "call"
            )
    END AS place
FROM (
    SELECT
        *,
        CASE WHEN starts_with(act, concat(tool, '.')) THEN nullif(substr(act, length(tool) + 2), '') END AS own
    FROM ledger
);
COMMENT ON VIEW events IS 'The ledger''s single values, one row per archived call. Key: (trajectory_id, step, call).';
COMMENT ON COLUMN events.trajectory_id IS 'As in steps.';
COMMENT ON COLUMN events.step IS 'As in steps.';
COMMENT ON COLUMN events.call IS 'As in steps.';
COMMENT ON COLUMN events.tool IS 'As in ledger.';
COMMENT ON COLUMN events.act IS 'As in ledger.';
COMMENT ON COLUMN events.own IS 'The act without its tool, NULL where it has none.';
COMMENT ON COLUMN events.act_folded IS 'The act in lower case.';
COMMENT ON COLUMN events.own_folded IS 'The column own in lower case.';
COMMENT ON COLUMN events.raw IS 'As in ledger.';
COMMENT ON COLUMN events.outcome IS 'As in ledger.';
COMMENT ON COLUMN events.error IS 'As in ledger.';
COMMENT ON COLUMN events.exit_code IS 'As in ledger.';
COMMENT ON COLUMN events.kind IS '1: an event; 2: one only where named, for its act is malformed; 0: none, copied or empty.';
COMMENT ON COLUMN events.place IS 'Position among the trajectory''s rows of kinds 1 and 2, from 1; NULL for the others.';

CREATE OR REPLACE VIEW texts AS
WITH listed AS (
    SELECT trajectory_id, step, "call", 'target' AS field, targets AS found FROM ledger
    UNION ALL
    SELECT trajectory_id, step, "call", 'path', paths FROM ledger
    UNION ALL
    SELECT trajectory_id, step, "call", 'delta', delta FROM ledger
    UNION ALL
    SELECT
        trajectory_id, step, "call", 'directory',
        list_transform(
            paths,
            lambda p: coalesce(
                nullif(regexp_extract(rtrim(p, '/'), '(?s)^(.*?)/+[^/]*$', 1), ''),
                CASE WHEN starts_with(p, '/') THEN '/' WHEN p <> '' THEN '.' END
            )
        )
    FROM ledger
    UNION ALL
    SELECT
        trajectory_id, step, "call", 'change',
        list_transform(changes, lambda c: concat(c.object, '.', c.property, ' → ', c."value"))
    FROM ledger
    UNION ALL
    SELECT trajectory_id, step, "call", 'object', list_transform(changes, lambda c: c.object) FROM ledger
    UNION ALL
    SELECT trajectory_id, step, "call", 'property', list_transform(changes, lambda c: c.property) FROM ledger
    UNION ALL
    SELECT trajectory_id, step, "call", 'value', list_transform(changes, lambda c: c."value") FROM ledger
    UNION ALL
    SELECT
        trajectory_id, step, "call", 'below',
        list_transform(changes, lambda c: concat(c.property, ' → ', c."value", ': ', c.object))
    FROM ledger
    UNION ALL
    SELECT
        trajectory_id, step, "call", 'setting',
        list_transform(changes, lambda c: concat(c.property, ' → ', c."value"))
    FROM ledger
),
single AS (
    SELECT trajectory_id, step, "call", 'tool' AS field, tool AS "text" FROM events
    UNION ALL
    SELECT trajectory_id, step, "call", 'act', act FROM events
    UNION ALL
    SELECT trajectory_id, step, "call", 'own', own FROM events
    UNION ALL
    SELECT trajectory_id, step, "call", 'raw', raw FROM events
    UNION ALL
    SELECT trajectory_id, step, "call", 'commit', regexp_extract(raw, '^commit ([0-9a-f]{7,40}):', 1) FROM events
    UNION ALL
    SELECT trajectory_id, step, "call", 'outcome', outcome FROM events
    UNION ALL
    SELECT trajectory_id, step, "call", 'error', error FROM events
    UNION ALL
    SELECT trajectory_id, step, "call", 'exit_code', CAST(exit_code AS VARCHAR) FROM events
    UNION ALL
    SELECT
        trajectory_id, step, "call", 'exit_state',
        CASE WHEN exit_code IS NULL THEN 'none' WHEN exit_code <> 0 THEN 'nonzero' END
    FROM events
    UNION ALL
    SELECT trajectory_id, step, "call", 'author', author FROM ledger
    UNION ALL
    SELECT trajectory_id, step, "call", 'observation', observation FROM steps
    UNION ALL
    -- What a run of a list is called: its values one after the other.
    SELECT trajectory_id, step, "call", concat(field, 's'), array_to_string(list_filter(found, lambda t: t <> ''), ', ')
    FROM listed
)
SELECT trajectory_id, step, "call", field, "position", "text", lower("text") AS folded, edged(lower("text")) AS edged
FROM (
    SELECT trajectory_id, step, "call", field, 1 AS "position", "text" FROM single
    UNION ALL
    SELECT trajectory_id, step, "call", field, generate_subscripts(found, 1) AS "position", unnest(found) AS "text" FROM listed
)
WHERE "text" <> '';
COMMENT ON VIEW texts IS 'Everything that a term may match or a value may be, one row per text.';
COMMENT ON COLUMN texts.trajectory_id IS 'As in steps.';
COMMENT ON COLUMN texts.step IS 'As in steps.';
COMMENT ON COLUMN texts.call IS 'As in steps.';
COMMENT ON COLUMN texts.field IS 'What the text is: tool, act, target, ...; in the plural, all texts of a list as one.';
COMMENT ON COLUMN texts.position IS 'Place in its list, from 1.';
COMMENT ON COLUMN texts.text IS 'The text, never empty.';
COMMENT ON COLUMN texts.folded IS 'The text in lower case, as DuckDB makes it.';
COMMENT ON COLUMN texts.edged IS 'The folded text with U+0002 where a word may begin and U+0003 where one may end.';
