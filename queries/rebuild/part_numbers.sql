-- purpose: the parts that there are, in order
-- columns: part HUGEINT
SELECT DISTINCT part FROM parts ORDER BY part
