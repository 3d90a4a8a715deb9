-- purpose: whether there are commits among the touched steps
-- params:
-- columns: commits BIGINT
SELECT count(*) AS commits FROM commits
