-- purpose: number of staged rows that hold nothing at all and are left out
-- columns: n_empty BIGINT
SELECT (SELECT count(*) FROM incoming_steps) - (SELECT count(*) FROM numbered_steps) AS n_empty
