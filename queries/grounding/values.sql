-- purpose: the distinct values of a field, to find near ones of a term that occurs nowhere
-- params: 
-- columns: value VARCHAR
SELECT DISTINCT value
FROM (SELECT unnest(keys) AS value FROM valued)
WHERE value <> ''
ORDER BY value
