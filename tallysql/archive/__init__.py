"""The archive: source files in, verbatim steps kept, Parquet out."""
