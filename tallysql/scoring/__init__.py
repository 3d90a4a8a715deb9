"""Scores of answer files against references."""
