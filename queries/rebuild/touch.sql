-- purpose: name the trajectories of one part in `touched`, which building reads
-- params: part HUGEINT
-- makes: touched(trajectory_id)
CREATE OR REPLACE TEMP TABLE touched AS SELECT trajectory_id FROM parts WHERE part = $part
