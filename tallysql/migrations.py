"""Databases of other releases: older ones are brought up to date, newer ones refused.

See docs/trust.md, "Versions".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tallysql import sqlfiles
from tallysql.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tallysql.store import Store

    Rebuild = Callable[[Store], None]

SCHEMA_VERSION = 2
"""Version of schema/ that this release writes."""


def prepare(store: Store, rebuild: Rebuild | None) -> bool:
    """Apply the schema to a new database; bring an old one up to date, in one transaction.

    Args:
        store: any database.
        rebuild: makes the whole ledger anew; None leaves one that other rules made as it is.

    Returns:
        Whether it is ready; False if it has to be opened for writing to become that.

    Raises:
        StoreError: it is not one of tallysql's; or of a newer version; or of an older one and
            there is no `rebuild`.
    """
    tables = {name for (name,) in store.rows("SELECT table_name FROM duckdb_tables()")}
    if "schema_version" in tables:
        return _migrate(store, rebuild)
    if tables or store.read_only:
        raise StoreError(f"{store.path}: a DuckDB database, but not one of tallysql's")
    with store.transaction():
        store.apply_schema()
        store.run("INSERT INTO schema_version VALUES ($version, $fingerprint)", written_version())
    return True


def written_version() -> dict[str, Any]:
    """Return what a database notes of the release that made it."""
    return {"version": SCHEMA_VERSION, "fingerprint": sqlfiles.rules_fingerprint()}


def _migrate(store: Store, rebuild: Rebuild | None) -> bool:
    (version,) = store.row("SELECT max(version) FROM schema_version") or (None,)
    if version is None or version > SCHEMA_VERSION or (version < SCHEMA_VERSION and not rebuild):
        whose = "a newer release's" if version and version > SCHEMA_VERSION else "another release's"
        raise StoreError(
            f"{store.path}: {whose} (schema version {version}, this one knows {SCHEMA_VERSION})",
            "use the release that wrote it, or load the sources again",
        )
    if rebuild is None or (store.read_only and version == SCHEMA_VERSION):
        return True
    if store.read_only:
        return False
    if version < SCHEMA_VERSION or not _has_these_rules(store):
        _bring_up_to_date(store, version, rebuild)
    return True


def _has_these_rules(store: Store) -> bool:
    fingerprint = store.row("SELECT fingerprint FROM schema_version")
    return fingerprint == (sqlfiles.rules_fingerprint(),)


def _bring_up_to_date(store: Store, version: int, rebuild: Rebuild) -> None:
    with store.transaction():
        for _, text in [step for step in sqlfiles.migrations() if step[0] > version]:
            store.run(text)
        store.run(sqlfiles.derived_dropped())
        store.apply_schema()
        rebuild(store)
        store.run(sqlfiles.query("rebuild/remember").text, written_version())
