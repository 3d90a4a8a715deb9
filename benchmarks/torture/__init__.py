"""Everything that should not harm a database, done to one, many times over (docs/trust.md)."""
