-- purpose: drop what follows from the archive and the annotations, before it is made anew by another release's rules
DROP TABLE IF EXISTS ledger;
DROP TABLE IF EXISTS file_events;
DROP SCHEMA IF EXISTS vocabulary CASCADE;
