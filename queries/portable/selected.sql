-- purpose: relation selected: the events of each sub-query, in its scope
-- params:
-- columns: query_id BIGINT, trajectory_id VARCHAR, step BIGINT, call INTEGER, tool VARCHAR, act VARCHAR, own VARCHAR, act_folded VARCHAR, own_folded VARCHAR, raw VARCHAR, outcome VARCHAR, error VARCHAR, place BIGINT
SELECT
    satisfying.query_id, satisfying.trajectory_id, satisfying.step, satisfying.call,
    events.tool, events.act, events.own, events.act_folded, events.own_folded,
    events.raw, events.outcome, events.error, events.place
FROM satisfying
INNER JOIN events
    ON
        satisfying.trajectory_id = events.trajectory_id
        AND satisfying.step = events.step
        AND satisfying.call = events.call
INNER JOIN (
    -- A sub-query without an anchor begins before all events; one whose anchor is not found selects none.
    SELECT query_id, step, call FROM bounds WHERE part = 'after'
    UNION ALL
    SELECT query_id, -4611686018427387904, 0 FROM selections WHERE part = 'where' AND after_events = 0
) AS starts ON satisfying.query_id = starts.query_id
INNER JOIN (
    SELECT query_id, step, call FROM bounds WHERE part = 'before'
    UNION ALL
    SELECT query_id, 4611686018427387904, 0 FROM selections WHERE part = 'where' AND before_events = 0
) AS ends ON satisfying.query_id = ends.query_id
WHERE
    satisfying.part = 'where'
    AND (satisfying.step > starts.step OR (satisfying.step = starts.step AND satisfying.call > starts.call))
    AND (satisfying.step < ends.step OR (satisfying.step = ends.step AND satisfying.call < ends.call))
