"""Plan → sqlglot trees → SQL text and parameters; knows no connection."""
