-- purpose: what the mechanical ledger knows about tools and their texts; the rows are in schema/vocabulary/*.csv,
-- one file a table (docs/architecture.md, "Ledger"). A new tool is a new row.
CREATE SCHEMA IF NOT EXISTS vocabulary;

CREATE TABLE IF NOT EXISTS vocabulary.tools (tool VARCHAR NOT NULL, family VARCHAR NOT NULL);
COMMENT ON TABLE vocabulary.tools IS 'Tools that have something in common with others: one row a tool.';
COMMENT ON COLUMN vocabulary.tools.tool IS 'Name in lower case.';
COMMENT ON COLUMN vocabulary.tools.family IS 'shell: takes a command line. editor: has sub-commands on files. file: reads or writes one file. patch: changes the files that its text names. thought: only says something. sql: takes a statement. web: acts on a page.';

CREATE TABLE IF NOT EXISTS vocabulary.arguments (tool VARCHAR NOT NULL, argument VARCHAR NOT NULL, role VARCHAR NOT NULL);
COMMENT ON TABLE vocabulary.arguments IS 'What structured arguments mean; tool * holds for tools of any name.';
COMMENT ON COLUMN vocabulary.arguments.tool IS 'Name in lower case, or *.';
COMMENT ON COLUMN vocabulary.arguments.argument IS 'Name in lower case.';
COMMENT ON COLUMN vocabulary.arguments.role IS 'path, url, query and name are targets, path is also an exact path; command: a command line; phrase: a text-world action.';

CREATE TABLE IF NOT EXISTS vocabulary.verbs (phrase VARCHAR NOT NULL, prepositions VARCHAR, targets INTEGER NOT NULL);
COMMENT ON TABLE vocabulary.verbs IS 'How actions of text worlds read.';
COMMENT ON COLUMN vocabulary.verbs.phrase IS 'The words that an action starts with; they are its act.';
COMMENT ON COLUMN vocabulary.verbs.prepositions IS 'Words that part the first target from the second, separated by |, the first that occurs counts.';
COMMENT ON COLUMN vocabulary.verbs.targets IS 'How many targets the phrase needs at least: below that it is not this verb.';

CREATE TABLE IF NOT EXISTS vocabulary.receipts (receipt VARCHAR NOT NULL, applies_to VARCHAR NOT NULL, opening VARCHAR NOT NULL, outcome VARCHAR NOT NULL, error_at VARCHAR);
COMMENT ON TABLE vocabulary.receipts IS 'Sentences at the start of an observation that tell the outcome; the longest that matches counts.';
COMMENT ON COLUMN vocabulary.receipts.receipt IS 'Name, which vocabulary.changes refers to.';
COMMENT ON COLUMN vocabulary.receipts.applies_to IS '''act A'', ''tool T'', a family (vocabulary.tools, or world for the verbs), ''editor C'' for an editor''s sub-command C, or ''any''; lower case.';
COMMENT ON COLUMN vocabulary.receipts.opening IS 'Text with {1} and {2} for the targets, {path} and {tool}; its first three characters are plain text.';
COMMENT ON COLUMN vocabulary.receipts.outcome IS 'What it tells: success, failure or no_effect.';
COMMENT ON COLUMN vocabulary.receipts.error_at IS 'Where the error text of a failure is: line 1, line 2, or value (of a key error in JSON or a Python dict).';

CREATE TABLE IF NOT EXISTS vocabulary.changes (receipt VARCHAR NOT NULL, object VARCHAR NOT NULL, property VARCHAR NOT NULL, "value" VARCHAR NOT NULL);
COMMENT ON TABLE vocabulary.changes IS 'State changes that a receipt confirms: object.property → value, with {1}, {2} and {path} as in vocabulary.receipts. What is taken or put away changes twice: its location, and inventory.contents (+mug 1, -mug 1).';
COMMENT ON COLUMN vocabulary.changes.receipt IS 'Name of a row in vocabulary.receipts.';
COMMENT ON COLUMN vocabulary.changes.object IS 'What changes.';
COMMENT ON COLUMN vocabulary.changes.property IS 'Which of its properties.';
COMMENT ON COLUMN vocabulary.changes."value" IS 'What the property becomes.';

CREATE TABLE IF NOT EXISTS vocabulary.file_commands (tool VARCHAR NOT NULL, command VARCHAR, kind VARCHAR NOT NULL);
COMMENT ON TABLE vocabulary.file_commands IS 'Calls that read or write the file of their path argument; command is an editor''s sub-command, empty for tools without one.';
COMMENT ON COLUMN vocabulary.file_commands.tool IS 'Name in lower case.';
COMMENT ON COLUMN vocabulary.file_commands.command IS 'The editor''s sub-command, NULL for tools without one.';
COMMENT ON COLUMN vocabulary.file_commands.kind IS 'read, write or undo.';

CREATE TABLE IF NOT EXISTS vocabulary.shell_words (word VARCHAR NOT NULL, role VARCHAR NOT NULL);
COMMENT ON TABLE vocabulary.shell_words IS 'Words before the program that a command line is about.';
COMMENT ON COLUMN vocabulary.shell_words.word IS 'The first word of a command, in lower case.';
COMMENT ON COLUMN vocabulary.shell_words.role IS 'prelude: a command that only prepares, such as cd. wrapper: runs the program that follows it. interpreter: runs the module named after -m.';

CREATE TABLE IF NOT EXISTS vocabulary.status_lines (opening VARCHAR NOT NULL, meaning VARCHAR NOT NULL);
COMMENT ON TABLE vocabulary.status_lines IS 'Lines that a tool adds after a command''s output.';
COMMENT ON COLUMN vocabulary.status_lines.opening IS 'How the line starts.';
COMMENT ON COLUMN vocabulary.status_lines.meaning IS 'header: stands before the output. footer: ends the output. running: the command had not ended, its exit code is unknown.';

CREATE TABLE IF NOT EXISTS vocabulary.not_actions (opening VARCHAR NOT NULL, meaning VARCHAR NOT NULL);
COMMENT ON TABLE vocabulary.not_actions IS 'Texts in the place of an action that are none.';
COMMENT ON COLUMN vocabulary.not_actions.opening IS 'How the text starts, or all of it.';
COMMENT ON COLUMN vocabulary.not_actions.meaning IS 'placeholder: the whole text stands for nothing. malformed: an error message that starts so.';

CREATE TABLE IF NOT EXISTS vocabulary.file_suffixes (suffix VARCHAR NOT NULL);
COMMENT ON TABLE vocabulary.file_suffixes IS 'Endings by which a word on a command line is taken for a file name.';
COMMENT ON COLUMN vocabulary.file_suffixes.suffix IS 'Without the dot.';

CREATE TABLE IF NOT EXISTS vocabulary.assignment_files (files VARCHAR NOT NULL, form VARCHAR NOT NULL);
COMMENT ON TABLE vocabulary.assignment_files IS 'In which form files assign values: one row a kind of file.';
COMMENT ON COLUMN vocabulary.assignment_files.files IS 'Shell pattern over the name of the file in lower case; the longest that fits counts.';
COMMENT ON COLUMN vocabulary.assignment_files.form IS 'Name of a row in vocabulary.assignments.';

CREATE TABLE IF NOT EXISTS vocabulary.assignments (form VARCHAR NOT NULL, pattern VARCHAR NOT NULL);
COMMENT ON TABLE vocabulary.assignments IS 'How an assignment reads on an added line of a patch, by form.';
COMMENT ON COLUMN vocabulary.assignments.form IS 'Name, which vocabulary.assignment_files refers to.';
COMMENT ON COLUMN vocabulary.assignments.pattern IS 'Regular expression (RE2) with the groups name and value; a value begins on the line of its name.';

-- bound to a name first: inside the inner lambda an expression would be evaluated once an element
CREATE OR REPLACE MACRO vocabulary.mentions(words) AS
    list_transform([words], lambda named: list_filter(named, lambda word, i: list_position(named, word) = i))[1];
COMMENT ON MACRO vocabulary.mentions IS 'A list''s values, each once, in order of first mention.';

CREATE OR REPLACE MACRO vocabulary.means(names, tool, argument) AS
    list_contains(names, '* ' || lower(argument)) OR list_contains(names, lower(tool) || ' ' || lower(argument));
COMMENT ON MACRO vocabulary.means IS 'Whether a list of ''tool argument'' names has this argument, for the tool or for all (*).';

CREATE OR REPLACE MACRO vocabulary.listed(argument) AS
    CASE
        WHEN starts_with(argument, '[') THEN coalesce(try_cast(try_cast(argument AS JSON) AS VARCHAR[]), [argument])
        ELSE [argument]
    END;
COMMENT ON MACRO vocabulary.listed IS 'The values of an argument: the elements of a JSON list, else the text itself.';

CREATE OR REPLACE MACRO vocabulary.filled(template, targets, path, tool) AS
    replace(replace(replace(replace(
        template,
        '{1}', coalesce(targets[1], '{1}')),
        '{2}', coalesce(targets[2], '{2}')),
        '{path}', coalesce(path, '{path}')),
        '{tool}', coalesce(tool, '{tool}'));
COMMENT ON MACRO vocabulary.filled IS 'A template with what it names in braces put in; what a call does not name stays in braces.';

CREATE OR REPLACE MACRO vocabulary.command_line(command) AS split_part(
    CASE
        WHEN starts_with(command, '[') THEN coalesce(
            list_transform(
                [try_cast(try_cast(command AS JSON) AS VARCHAR[])],
                lambda words: CASE
                    WHEN len(words) = 3 AND regexp_full_match(words[1], '(.*/)?\w*sh') AND regexp_full_match(words[2], '-\w*c') THEN words[3]
                    ELSE array_to_string(words, ' ')
                END
            )[1],
            command
        )
        ELSE command
    END,
    '*** Begin Patch', 1
);
COMMENT ON MACRO vocabulary.command_line IS 'The command line of a command argument: of a list of words those words, of a list that starts a shell what the shell runs; without a patch that follows.';

CREATE OR REPLACE MACRO vocabulary.patched_paths(patch) AS
    vocabulary.mentions(regexp_extract_all(patch, '(?m)^\*\*\* (?:Update|Add|Delete) File: ([^\n]*[^\s])', 1));
COMMENT ON MACRO vocabulary.patched_paths IS 'The files that a patch in the form of apply_patch names.';
