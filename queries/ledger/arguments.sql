-- purpose: what the structured arguments of each call name, by their roles
-- makes: arguments(id, command, phrase, subcommand, targets, paths, path_argument, is_patch)
CREATE OR REPLACE TEMP TABLE arguments AS
WITH roles AS (
    SELECT
        list(tool || ' ' || argument) FILTER (role = 'path') AS paths,
        list(tool || ' ' || argument) FILTER (role IN ('path', 'url', 'query', 'name')) AS targets,
        list(tool || ' ' || argument) FILTER (role = 'command') AS commands,
        list(tool || ' ' || argument) FILTER (role = 'phrase') AS phrases
    FROM vocabulary.arguments
),
keyed AS (
    SELECT
        id, tool, family, args,
        list_filter(map_keys(args), lambda key: args[key] <> '') AS keys,
        roles.*
    FROM calls, roles
    WHERE args IS NOT NULL
),
named AS (
    SELECT
        id, family, args,
        list_filter(keys, lambda key: vocabulary.means(paths, tool, key)) AS path_keys,
        list_filter(keys, lambda key: vocabulary.means(targets, tool, key)) AS target_keys,
        list_filter(keys, lambda key: vocabulary.means(commands, tool, key)) AS command_keys,
        list_filter(keys, lambda key: vocabulary.means(phrases, tool, key)) AS phrase_keys
    FROM keyed
),
patches AS (
    -- a patch is an argument, all that a call has, or what a shell is given
    SELECT id, vocabulary.patched_paths(patch) AS paths
    FROM (
        SELECT id, coalesce(args['patch'], args['input'], array_to_string(vocabulary.listed(args['command']), E'\n'), rest) AS patch
        FROM calls
        WHERE family IN ('patch', 'shell')
    )
    WHERE contains(patch, '*** Begin Patch')
)
SELECT
    id,
    CASE WHEN family = 'shell' THEN vocabulary.command_line(args[command_keys[1]]) END AS command,
    args[phrase_keys[1]] AS phrase,
    CASE
        WHEN family IS DISTINCT FROM 'shell' AND regexp_full_match(args['command'], '[\w-]+') THEN args['command']
    END AS subcommand,
    coalesce(patches.paths, vocabulary.mentions(flatten(list_transform(target_keys, lambda key: vocabulary.listed(args[key]))))) AS targets,
    coalesce(patches.paths, vocabulary.mentions(flatten(list_transform(path_keys, lambda key: vocabulary.listed(args[key]))))) AS paths,
    CASE WHEN patches.paths IS NULL THEN path_keys[1] END AS path_argument,
    patches.paths IS NOT NULL AS is_patch
FROM named
FULL JOIN patches USING (id);
