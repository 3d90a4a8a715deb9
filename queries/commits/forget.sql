-- purpose: drop the intermediate tables
DROP TABLE temp.commits;
DROP TABLE temp.commit_files;
DROP TABLE temp.commit_assignments;
DROP TABLE temp.commit_sections;
