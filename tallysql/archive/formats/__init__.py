"""One module per source format, each a generator from a file to canonical rows."""
