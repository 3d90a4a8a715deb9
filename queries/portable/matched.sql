-- purpose: relation matched: where each term of a batch occurs
-- params:
-- columns: query_id BIGINT, part VARCHAR, kind VARCHAR, clause BIGINT, term BIGINT, trajectory_id VARCHAR, step BIGINT, call INTEGER, position BIGINT
SELECT
    terms.query_id, terms.part, terms.kind, terms.clause, terms.term,
    texts.trajectory_id, texts.step, texts.call, texts.position
FROM terms
INNER JOIN texts ON terms.trajectory_id = texts.trajectory_id AND terms.field = texts.field
WHERE
    (terms.match = 'substring' AND strpos(texts.folded, terms.folded) > 0)
    OR (terms.match = 'word' AND strpos(texts.edged, terms.edged) > 0)
    OR (terms.match = 'exact' AND texts.folded = terms.folded)
    OR (terms.match = 'prefix' AND strpos(texts.folded, terms.folded) = 1)
    OR (terms.match = 'verbatim' AND texts.text = terms.text)
    OR (terms.match = 'verbatim_prefix' AND strpos(texts.text, terms.text) = 1)
