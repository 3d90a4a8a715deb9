-- purpose: the trajectories that got new rows, for whoever builds on the archive
CREATE OR REPLACE TEMP TABLE touched AS
SELECT trajectory_id FROM verdicts WHERE verdict IN ('new', 'grown', 'answered', 'changed')
