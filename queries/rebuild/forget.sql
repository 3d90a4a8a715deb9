-- purpose: drop the intermediate tables
DROP TABLE temp.parts;
DROP TABLE IF EXISTS temp.touched;
