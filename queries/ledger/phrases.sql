-- purpose: act and targets of each distinct action that is words: text worlds by their verbs, games by the words
-- makes: phrases(text, act, targets, is_verb)
CREATE OR REPLACE TEMP TABLE phrases AS
WITH texts AS (
    SELECT DISTINCT text, lower(text) AS lowered
    FROM (SELECT text FROM calls WHERE shape = 'phrase' UNION ALL SELECT phrase FROM arguments WHERE phrase IS NOT NULL)
),
spoken AS (
    SELECT text, phrase, targets AS needed, string_split(prepositions, '|') AS prepositions, trim(substr(text, length(phrase) + 1)) AS rest
    FROM texts
    JOIN vocabulary.verbs ON split_part(lowered, ' ', 1) = split_part(phrase, ' ', 1) AND starts_with(lowered || ' ', phrase || ' ')
    WHERE length(text) <= 200 AND NOT contains(text, E'\n')
),
parted AS (
    SELECT *, list_filter(prepositions, lambda word: contains(lower(rest), ' ' || word || ' '))[1] AS preposition
    FROM spoken
),
named AS (
    SELECT
        text, phrase, needed,
        list_filter(
            list_transform(
                CASE
                    WHEN preposition IS NULL THEN [rest]
                    ELSE [
                        left(rest, strpos(lower(rest), ' ' || preposition || ' ') - 1),
                        substr(rest, strpos(lower(rest), ' ' || preposition || ' ') + length(preposition) + 2)
                    ]
                END,
                lambda part: regexp_replace(trim(part), '^(the|a|an) ', '', 'i')
            ),
            lambda part: part <> ''
        ) AS targets
    FROM parted
),
verbs AS (
    SELECT text, max_by(phrase, length(phrase)) AS act, max_by(targets, length(phrase)) AS targets
    FROM named
    WHERE len(targets) >= needed
    GROUP BY text
),
words AS (
    SELECT text, lowered, string_split(text, ' ') AS words FROM texts
)
SELECT
    text,
    coalesce(
        verbs.act,
        -- a short command without numbers (move north, make wood pickaxe) is a kind of its own
        CASE WHEN len(words) <= 3 AND length(text) <= 40 AND NOT regexp_matches(text, '[\d\n]') THEN lowered ELSE lower(words[1]) END
    ) AS act,
    coalesce(
        verbs.targets,
        CASE
            WHEN len(words) BETWEEN 2 AND 5 AND length(text) <= 60
                AND NOT regexp_matches(text, '[\x00-\x1f!-&(-,./:-@[-^`{-~]')
            THEN [array_to_string(words[2:], ' ')]
        END,
        []
    ) AS targets,
    verbs.act IS NOT NULL AS is_verb
FROM words
LEFT JOIN verbs USING (text);
