-- Statements that `sql` must refuse, or run without reach; one a line. {file} is a readable file that holds
-- the canary, {out} a place to write to, {db} another database, {self} this one.
-- Files read
SELECT content FROM read_text('{file}')
SELECT content::VARCHAR FROM read_blob('{file}')
SELECT * FROM read_csv('{file}')
SELECT * FROM read_csv_auto('{file}', header = false)
SELECT * FROM read_json('{file}')
SELECT * FROM read_json_objects('{file}')
SELECT * FROM read_json_auto('{file}')
SELECT * FROM read_ndjson('{file}')
SELECT * FROM read_ndjson_objects('{file}')
SELECT * FROM read_parquet('{file}')
SELECT * FROM parquet_scan('{file}')
SELECT * FROM parquet_metadata('{file}')
SELECT * FROM parquet_schema('{file}')
SELECT * FROM parquet_file_metadata('{file}')
SELECT * FROM parquet_kv_metadata('{file}')
SELECT * FROM parquet_bloom_probe('{file}', 'a', 1)
SELECT * FROM sniff_csv('{file}')
SELECT * FROM glob('/etc/*')
SELECT * FROM '{file}'
FROM '{file}'
SELECT * FROM "{file}"
SELECT * FROM read_text('/etc/passwd')
SELECT * FROM read_text('/proc/self/environ')
SELECT * FROM read_csv('/etc/passwd', sep = ':')
SELECT * FROM read_csv('/dev/stdin')
SELECT * FROM query('SELECT content FROM read_text(''{file}'')')
SELECT * FROM query_table('{file}')
WITH x AS (FROM read_text('{file}')) SELECT * FROM x
SELECT (SELECT content FROM read_text('{file}'))
SELECT 1 WHERE EXISTS (FROM read_text('{file}'))
SUMMARIZE SELECT * FROM read_text('{file}')
DESCRIBE SELECT * FROM read_csv('{file}')
DESCRIBE TABLE '{file}'
EXPLAIN ANALYZE SELECT * FROM read_text('{file}')
SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT content FROM read_text(''{file}'')'))
FROM sql_auto_complete('SELECT * FROM ''/et')
-- The environment
SELECT getenv('TALLYSQL_CANARY')
SELECT getvariable('TALLYSQL_CANARY')
SELECT current_setting('TALLYSQL_CANARY')
SELECT * FROM duckdb_secrets()
SELECT * FROM which_secret('s3://x', 's3')
SELECT * FROM duckdb_secrets(redact = false)
-- Other databases
ATTACH '{db}' AS other
ATTACH ':memory:' AS other
ATTACH '{self}' AS other (READ_ONLY)
ATTACH IF NOT EXISTS '{db}'
DETACH tally
USE other
CREATE SECRET canary (TYPE s3, KEY_ID 'a', SECRET 'b')
CREATE PERSISTENT SECRET canary (TYPE s3, KEY_ID 'a', SECRET 'b')
DROP SECRET canary
SELECT * FROM sqlite_scan('{db}', 'x')
SELECT * FROM postgres_scan('host=127.0.0.1', 'public', 'x')
SELECT * FROM postgres_query('x', 'SELECT 1')
SELECT * FROM mysql_query('x', 'SELECT 1')
SELECT * FROM iceberg_scan('{file}')
SELECT * FROM delta_scan('{file}')
SELECT * FROM ducklake_snapshots('x')
SELECT * FROM read_xlsx('{file}')
SELECT * FROM st_read('{file}')
-- The network
SELECT * FROM read_text('http://127.0.0.1:{port}/x')
SELECT * FROM read_csv('http://127.0.0.1:{port}/x.csv')
SELECT * FROM read_parquet('http://127.0.0.1:{port}/x.parquet')
SELECT * FROM 'http://127.0.0.1:{port}/x.csv'
FROM read_json('http://127.0.0.1:{port}/x.json')
FROM read_text('s3://bucket/x')
FROM read_text('hf://datasets/x/y')
SELECT http_get('http://127.0.0.1:{port}/x')
ATTACH 'http://127.0.0.1:{port}/x.duckdb' AS web
-- Extensions
INSTALL httpfs
INSTALL httpfs FROM community
FORCE INSTALL json
INSTALL '{file}'
LOAD httpfs
LOAD '{file}'
UPDATE EXTENSIONS
-- Files written
COPY steps TO '{out}'
COPY steps TO '{out}' (FORMAT parquet)
COPY (SELECT 1) TO '{out}'
COPY steps FROM '{file}'
COPY FROM DATABASE tally TO other
EXPORT DATABASE '{out}'
IMPORT DATABASE '{out}'
WITH x AS (COPY steps TO '{out}') SELECT 1
EXPLAIN ANALYZE COPY steps TO '{out}'
EXPLAIN (ANALYZE) COPY steps TO '{out}'
SELECT write_log('x')
CALL enable_logging(storage = 'file', storage_path = '{out}')
CALL enable_profiling(save_location = '{out}')
PRAGMA enable_profiling = 'json'
SET profile_output = '{out}'
SET log_query_path = '{out}'
-- The database written
DELETE FROM steps
UPDATE steps SET action = 'x'
INSERT INTO steps FROM steps
MERGE INTO steps USING (SELECT 1) ON false WHEN NOT MATCHED THEN INSERT BY NAME
TRUNCATE steps
DROP TABLE steps
ALTER TABLE steps ADD COLUMN x INTEGER
CREATE TABLE x AS SELECT 1
CREATE OR REPLACE TABLE steps AS SELECT 1
CREATE TEMP TABLE x AS SELECT 1
CREATE VIEW x AS SELECT 1
CREATE MACRO x() AS 1
CREATE OR REPLACE MACRO step_hash(a, b, c, d, e, f, g, h, i, j, k) AS 1
CREATE TEMP MACRO x() AS TABLE FROM read_text('{file}')
CREATE SCHEMA x
CREATE SEQUENCE x
CREATE TYPE x AS INTEGER
CREATE INDEX x ON steps (step)
CREATE TRIGGER x AFTER INSERT ON steps SELECT 1
COMMENT ON TABLE steps IS 'x'
WITH x AS (DELETE FROM steps RETURNING *) SELECT * FROM x
WITH x AS (INSERT INTO steps FROM steps RETURNING *) SELECT * FROM x
WITH x AS (UPDATE steps SET action = 'x' RETURNING *) SELECT * FROM x
EXPLAIN ANALYZE DELETE FROM steps
SELECT nextval('x')
VACUUM
ANALYZE
CHECKPOINT
FORCE CHECKPOINT
BEGIN TRANSACTION
COMMIT
ROLLBACK
-- Several statements, and prepared ones
SELECT 1; SELECT 2
SELECT 1; DELETE FROM steps
SELECT 1;; DROP TABLE steps
PREPARE x AS DELETE FROM steps
EXECUTE x
DEALLOCATE x
PREPARE x AS SELECT content FROM read_text('{file}')
-- Settings
SET enable_external_access = true
SET GLOBAL enable_external_access = true
SET SESSION memory_limit = '1TB'
RESET enable_external_access
RESET memory_limit
RESET lock_configuration
SET lock_configuration = false
SET allowed_directories = ['/']
SET allowed_paths = ['{file}']
SET allow_unsigned_extensions = true
SET extension_directory = '{out}'
SET temp_directory = '{out}'
SET secret_directory = '{out}'
SET home_directory = '/'
SET custom_extension_repository = 'http://127.0.0.1:{port}'
SET python_enable_replacements = true
SET python_scan_all_frames = true
SET VARIABLE x = 1
SET threads = 1000
PRAGMA enable_external_access
PRAGMA memory_limit = '1TB'
PRAGMA database_list
PRAGMA table_info('steps')
PRAGMA import_database('{out}')
PRAGMA disable_checkpoint_on_shutdown
PRAGMA enable_verification
CALL pragma_table_info('steps')
CALL force_checkpoint()
CALL checkpoint()
CALL disable_logging()
-- Table functions that do something, called from a SELECT
FROM read_duckdb('{db}')
FROM read_duckdb('{db}', table_name = 'secret')
FROM read_single_csv_file('{file}')
FROM read_single_json_file('{file}')
FROM read_single_parquet_file('{file}')
FROM parquet_full_metadata('{file}')
FROM parquet_page_index('{file}')
FROM enable_logging(storage = 'file', storage_path = '{out}')
FROM enable_logging()
FROM disable_logging()
FROM truncate_duckdb_logs()
FROM enable_profiling(save_location = '{out}')
FROM enable_profiling(format = 'json', save_location = '{out}')
FROM disable_profiling()
FROM checkpoint()
FROM force_checkpoint()
FROM add_grammar_extension('x', 'y')
FROM remove_grammar_extension('x')
FROM register_external_resource_type('x')
FROM register_external_resource('x', 'y')
FROM create_external_resource('x', 'y')
FROM destroy_external_resource('x')
FROM deregister_external_resource('x')
FROM duckdb_external_resources()
FROM python_arrow_scan(1, 2, 3)
FROM arrow_scan('1'::POINTER, '1'::POINTER, '1'::POINTER)
FROM pandas_scan('1'::POINTER)
FROM duckdb_external_file_cache()
SELECT set_config('x', 'y')
SELECT error('x')
SELECT write_log('x', level := 'error', log_type := 'FileSystem')
-- Python variables
SELECT * FROM settings
SELECT * FROM statement
FROM found
SELECT * FROM memory
FROM python_map_function(x)
FROM arrow_scan(1, 2, 3)
FROM arrow_scan_dumb(1, 2, 3)
FROM pandas_scan(1)
FROM seq_scan('steps')
FROM test_all_types()
SELECT * FROM test_vector_types(NULL::INTEGER)
-- What only exhausts
SELECT count(*) FROM range(1_000_000_000_000) t(x) WHERE hash(x) = 8
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT max(n) FROM t
SELECT count(*) FROM steps a, steps b, steps c, steps d, steps e, steps f, steps g, steps h, range(1000000)
SELECT repeat('x', 100_000_000_000)
SELECT list(x) FROM range(100_000_000_000) t(x)
SELECT string_agg(repeat('x', 1_000_000), '') FROM range(1_000_000)
SELECT list_sum(range(1_000_000_000_000))
SELECT regexp_matches(repeat('a', 100000) || 'b', '(a+)+$')
SELECT * FROM range(1_000_000_000_000)
SELECT levenshtein(repeat('a', 1000000), repeat('b', 1000000))
SELECT sleep_ms(1000000)
