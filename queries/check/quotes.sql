-- purpose: quotes that do not stand in the observation where they say
-- columns: trajectory_id VARCHAR, step BIGINT, problem VARCHAR
WITH quotes AS (
    SELECT 'ledger' AS place, trajectory_id, step, call, quote FROM ledger WHERE quote IS NOT NULL
    UNION ALL SELECT 'annotations', trajectory_id, step, call, quote FROM annotations WHERE quote IS NOT NULL
)
SELECT trajectory_id, step, 'the quote in ' || place || ' is not what the observation holds there' AS problem
FROM quotes JOIN steps USING (trajectory_id, step, call)
WHERE substr(observation, quote."start" + 1, quote."end" - quote."start") IS DISTINCT FROM quote."text"
