-- purpose: name the trajectory whose ledger rows are to be merged with its annotations
-- params: trajectory_id VARCHAR
-- makes: touched(trajectory_id)
CREATE OR REPLACE TEMP TABLE touched AS SELECT $trajectory_id::VARCHAR AS trajectory_id;
