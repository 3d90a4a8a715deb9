-- purpose: relation counted: one row per value; spellings merge on lower(), the first one shows, a row counts once
-- params: 
-- columns: key VARCHAR, count BIGINT, steps BIGINT[], outcomes MAP(VARCHAR, UBIGINT), first_seen STRUCT(step BIGINT, "call" INTEGER, "position" BIGINT)
SELECT
    arg_min(key, {'step': step, 'call': call, 'position': position}) AS key,
    count(*) AS count,
    list_sort(list_distinct(list(step))) AS steps,
    histogram(outcome) AS outcomes,
    min({'step': step, 'call': call, 'position': position}) AS first_seen
FROM (
    SELECT
        step,
        call,
        any_value(outcome) AS outcome,
        arg_min(key, position) AS key,
        min(position) AS position
    FROM keyed
    GROUP BY step, call, lower(key)
)
GROUP BY lower(key)
