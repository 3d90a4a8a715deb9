-- purpose: drop the intermediate tables
DROP TABLE temp.calls;
DROP TABLE temp.arguments;
DROP TABLE temp.phrases;
DROP TABLE temp.commands;
DROP TABLE temp.acts;
DROP TABLE temp.openings;
DROP TABLE temp.exits;
DROP TABLE temp.outcomes;
DROP TABLE temp.deltas;
DROP TABLE temp.changed;
