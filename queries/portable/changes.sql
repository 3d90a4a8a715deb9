-- purpose: the state changes of the events of each timeline
-- params:
-- columns: query_id BIGINT, step BIGINT, call INTEGER, position BIGINT, key VARCHAR
SELECT keyed.query_id, keyed.step, keyed.call, keyed.position, keyed.key
FROM keyed
INNER JOIN selections ON keyed.query_id = selections.query_id AND selections.part = 'where'
WHERE selections.op = 'timeline'
