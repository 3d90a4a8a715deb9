-- purpose: put the archive's part that came in as `part_steps` and `part_annotations` into an empty database
-- makes: steps, annotations, touched(trajectory_id)
DELETE FROM steps;
DELETE FROM annotations;
INSERT INTO steps BY NAME FROM part_steps;
INSERT INTO annotations BY NAME FROM part_annotations;
CREATE OR REPLACE TEMP TABLE touched AS SELECT DISTINCT trajectory_id FROM steps;
