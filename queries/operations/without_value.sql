-- purpose: how many selected events have no value to group by
-- params: 
-- columns: without_value BIGINT
SELECT count(*) AS without_value
FROM valued
WHERE len(list_filter(keys, lambda k: k <> '')) = 0
