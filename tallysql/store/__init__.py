"""The only package that talks to duckdb: opens databases, applies the schema, runs SQL."""

from tallysql.store.connection import Row, Store
from tallysql.store.failures import translated
from tallysql.store.opening import memory_store, open_store

__all__ = ["Row", "Store", "memory_store", "open_store", "translated"]
