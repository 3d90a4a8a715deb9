-- purpose: free the staging tables of one source file
DROP TABLE IF EXISTS incoming_trajectories;
DROP TABLE IF EXISTS incoming_steps;
DROP TABLE IF EXISTS numbered_steps;
DROP TABLE IF EXISTS hashed_steps;
DROP TABLE IF EXISTS incoming_runs;
DROP TABLE IF EXISTS verdicts;
DROP TABLE IF EXISTS touched;
DROP TABLE IF EXISTS earlier_steps;
