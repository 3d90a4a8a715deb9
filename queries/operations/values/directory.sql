-- purpose: relation valued: the parents of a row's paths; '.' for a bare name
-- params: 
-- columns: step BIGINT, call INTEGER, outcome VARCHAR, error VARCHAR, keys VARCHAR[]
SELECT
    step,
    call,
    outcome,
    error,
    list_transform(
        paths,
        lambda p: coalesce(
            nullif(regexp_extract(rtrim(p, '/'), '(?s)^(.*?)/+[^/]*$', 1), ''),
            CASE WHEN starts_with(p, '/') THEN '/' WHEN p <> '' THEN '.' END
        )
    ) AS keys
FROM selected
