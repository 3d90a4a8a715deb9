"""How fast the engine is, beside other ways to do the same; see docs/speed.md."""
