-- purpose: one row per call of the touched trajectories that reads or writes a file by its exact path
-- makes: file_events
INSERT INTO file_events
WITH opened AS (
    SELECT
        calls.id, calls.trajectory_id, calls.step, calls.call, unnest(CASE WHEN is_patch THEN paths ELSE paths[:1] END) AS path, path_argument, subcommand, kind, calls.tool,
        coalesce(outcomes.outcome = 'success' AND (outcomes.receipt IS NOT NULL OR NOT is_error), false) AS confirmed
    FROM calls
    JOIN acts USING (id)
    JOIN vocabulary.file_commands ON file_commands.tool = CASE WHEN is_patch THEN 'apply_patch' ELSE lower(calls.tool) END
        AND file_commands.command IS NOT DISTINCT FROM CASE WHEN NOT is_patch THEN subcommand END
    LEFT JOIN outcomes USING (id)
    LEFT JOIN openings USING (id)
    WHERE len(paths) > 0
),
placed AS (
    -- the path as the action has it: plain, else with JSON escapes; behind its key, or anywhere without one
    SELECT
        opened.*, action, observation,
        list_filter(
            [
                struct_pack(ahead := '"' || path_argument || '": "', text := trim(to_json(path), '"')),
                struct_pack(ahead := '"' || path_argument || '":"', text := trim(to_json(path), '"')),
                struct_pack(ahead := '', text := path)
            ],
            lambda spot: contains(action, spot.ahead || spot.text)
        )[1] AS spot,
        list_filter(
            ['"command": "' || subcommand || '"', '"command":"' || subcommand || '"', opened.tool],
            lambda text: contains(action, text)
        )[1] AS command_text
    FROM opened
    JOIN steps ON steps.rowid = opened.id
    WHERE steps.trajectory_id IN (SELECT trajectory_id FROM touched)
),
spanned AS (
    SELECT
        *,
        strpos(action, spot.ahead || spot.text) - 1 + length(spot.ahead) AS path_start,
        strpos(action, command_text) - 1 + CASE WHEN command_text = tool THEN 0 ELSE length(command_text) - length(subcommand) - 1 END AS command_start
    FROM placed
)
SELECT
    trajectory_id, step, call, path, coalesce(subcommand, tool), kind, confirmed,
    CASE WHEN spot IS NOT NULL THEN struct_pack(field := 'action', "start" := path_start, "end" := path_start + length(spot.text)) END,
    CASE WHEN command_text IS NOT NULL THEN struct_pack(
        field := 'action', "start" := command_start, "end" := command_start + length(coalesce(subcommand, tool))
    ) END,
    CASE WHEN observation IS NOT NULL THEN struct_pack(field := 'observation', "start" := 0, "end" := length(observation)) END
FROM spanned
ORDER BY trajectory_id, step, call;
