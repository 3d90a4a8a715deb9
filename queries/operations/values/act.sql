-- purpose: relation valued: the act, without its tool where all selected rows share one tool
-- params: 
-- columns: step BIGINT, call INTEGER, outcome VARCHAR, error VARCHAR, keys VARCHAR[]
SELECT
    step,
    call,
    outcome,
    error,
    [
        CASE
            WHEN
                min(tool) OVER () = max(tool) OVER ()
                AND count(tool) OVER () = count(*) OVER ()
                AND starts_with(act, tool || '.')
                THEN substr(act, length(tool) + 2)
            ELSE act
        END
    ] AS keys
FROM selected
