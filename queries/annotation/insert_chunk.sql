-- purpose: remember how a chunk ended
-- params: trajectory_id VARCHAR, chunk VARCHAR, model VARCHAR, first_step BIGINT, last_step BIGINT, calls BIGINT, state VARCHAR, reason VARCHAR, prompt_tokens BIGINT, completion_tokens BIGINT
INSERT INTO annotation_chunks VALUES (
    $trajectory_id, $chunk, $model, $first_step, $last_step, $calls, $state, $reason, $prompt_tokens, $completion_tokens
);
