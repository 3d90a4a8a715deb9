-- purpose: relation keyed: the values of the selected events that a sub-query asks for
-- params:
-- columns: query_id BIGINT, step BIGINT, call INTEGER, outcome VARCHAR, place BIGINT, position BIGINT, key VARCHAR, folded VARCHAR
SELECT
    selected.query_id, selected.step, selected.call, selected.outcome, selected.place,
    texts.position, texts.text AS key, texts.folded
FROM selected
INNER JOIN selections ON selected.query_id = selections.query_id AND selections.part = 'where'
INNER JOIN texts
    ON
        selected.trajectory_id = texts.trajectory_id
        AND selected.step = texts.step
        AND selected.call = texts.call
        AND selections.value_field = texts.field
WHERE selections.value_named = 0 AND (selections.value_position = 0 OR selections.value_position = texts.position)
UNION ALL
-- Parts of changes, or paths: only of those that a term names.
SELECT
    selected.query_id, selected.step, selected.call, selected.outcome, selected.place,
    texts.position, texts.text, texts.folded
FROM selected
INNER JOIN selections ON selected.query_id = selections.query_id AND selections.part = 'where'
INNER JOIN texts
    ON
        selected.trajectory_id = texts.trajectory_id
        AND selected.step = texts.step
        AND selected.call = texts.call
        AND selections.value_field = texts.field
INNER JOIN (
    SELECT DISTINCT matched.query_id, matched.step, matched.call, matched.position
    FROM matched
    INNER JOIN terms
        ON
            matched.query_id = terms.query_id
            AND matched.part = terms.part
            AND matched.kind = terms.kind
            AND matched.clause = terms.clause
            AND matched.term = terms.term
    INNER JOIN selections ON matched.query_id = selections.query_id AND selections.part = 'where'
    WHERE
        matched.part = 'where' AND matched.kind = 'where' AND terms.names_elements = 1
        AND (
            (selections.value_field = 'path' AND terms.field = 'path')
            OR (selections.value_field <> 'path' AND terms.field <> 'path')
        )
) AS named
    ON
        selected.query_id = named.query_id
        AND selected.step = named.step
        AND selected.call = named.call
        AND texts.position = named.position
WHERE selections.value_named = 1
UNION ALL
-- The act, without its tool where all selected events share one tool.
SELECT
    selected.query_id, selected.step, selected.call, selected.outcome, selected.place, 1,
    CASE WHEN shared.tools = 1 AND selected.own IS NOT NULL THEN selected.own ELSE selected.act END,
    CASE WHEN shared.tools = 1 AND selected.own IS NOT NULL THEN selected.own_folded ELSE selected.act_folded END
FROM selected
INNER JOIN selections ON selected.query_id = selections.query_id AND selections.part = 'where'
INNER JOIN (
    SELECT
        query_id,
        CASE WHEN min(tool) = max(tool) AND count(tool) = count(*) THEN 1 ELSE 0 END AS tools
    FROM selected
    GROUP BY query_id
) AS shared ON selected.query_id = shared.query_id
WHERE selections.value_field = 'shown_act' AND selected.act <> ''
