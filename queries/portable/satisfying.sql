-- purpose: relation satisfying: the events that satisfy the clauses of a sub-query or of an anchor, and not those of its `not`
-- params:
-- columns: query_id BIGINT, part VARCHAR, trajectory_id VARCHAR, step BIGINT, call INTEGER
SELECT query_id, part, trajectory_id, step, call
FROM (
    SELECT
        selections.query_id, selections.part, selections.clauses, selections.exclusions,
        events.trajectory_id, events.step, events.call, 'event' AS kind
    FROM selections
    INNER JOIN events ON selections.trajectory_id = events.trajectory_id
    WHERE
        events.step >= selections.lo AND events.step <= selections.hi
        AND (selections.every = 1 OR events.kind = 1 OR (events.kind = 2 AND selections.malformed = 1))
    UNION ALL
    SELECT
        selections.query_id, selections.part, selections.clauses, selections.exclusions,
        held.trajectory_id, held.step, held.call, held.kind
    FROM (
        SELECT DISTINCT query_id, part, kind, clause, trajectory_id, step, call
        FROM matched
    ) AS held
    INNER JOIN selections ON held.query_id = selections.query_id AND held.part = selections.part
) AS candidates
GROUP BY query_id, part, trajectory_id, step, call, clauses, exclusions
HAVING
    sum(CASE WHEN kind = 'event' THEN 1 ELSE 0 END) = 1
    AND sum(CASE WHEN kind = 'where' THEN 1 ELSE 0 END) = clauses
    AND (exclusions = 0 OR sum(CASE WHEN kind = 'not' THEN 1 ELSE 0 END) < exclusions)
