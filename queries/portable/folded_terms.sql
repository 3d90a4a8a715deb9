-- purpose: relation terms: the terms of a batch with what their matches compare
-- params:
-- columns: query_id BIGINT, trajectory_id VARCHAR, part VARCHAR, kind VARCHAR, clause BIGINT, term BIGINT, field VARCHAR, match VARCHAR, text VARCHAR, names_elements BIGINT, folded VARCHAR, edged VARCHAR
SELECT *, lower("text") AS folded, edged(lower("text")) AS edged
FROM asked
