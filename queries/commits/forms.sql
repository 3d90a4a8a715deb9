-- purpose: how assignments read, by form
-- params:
-- columns: form VARCHAR, pattern VARCHAR
SELECT form, pattern FROM vocabulary.assignments ORDER BY form
