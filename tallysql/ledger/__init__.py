"""The ledger: one row per archived call, and the catalog of what it holds."""
