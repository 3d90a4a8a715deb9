"""Grounding, execution, results and evidence."""
