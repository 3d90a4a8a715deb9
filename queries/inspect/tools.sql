-- purpose: how often each tool and act was used, and how it went
-- params: trajectory_id VARCHAR
-- columns: tool VARCHAR, act VARCHAR, events BIGINT, success BIGINT, failure BIGINT, no_effect BIGINT, unknown BIGINT, first_step BIGINT, last_step BIGINT
SELECT
    tool, act, count(*) AS events,
    count(*) FILTER (outcome = 'success') AS success,
    count(*) FILTER (outcome = 'failure') AS failure,
    count(*) FILTER (outcome = 'no_effect') AS no_effect,
    count(*) FILTER (outcome = 'unknown') AS unknown,
    min(step) AS first_step, max(step) AS last_step
FROM ledger
WHERE act IS NOT NULL AND NOT is_copied AND ($trajectory_id IS NULL OR trajectory_id = $trajectory_id)
GROUP BY tool, act
ORDER BY events DESC, tool, act;
