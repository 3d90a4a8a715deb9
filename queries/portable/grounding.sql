-- purpose: the rows in which each term of a batch occurs; terms without any are left out
-- params:
-- columns: query_id BIGINT, part VARCHAR, kind VARCHAR, clause BIGINT, term BIGINT, rows BIGINT
SELECT query_id, part, kind, clause, term, count(*) AS rows
FROM (SELECT DISTINCT query_id, part, kind, clause, term, step, call FROM matched) AS held
GROUP BY query_id, part, kind, clause, term
