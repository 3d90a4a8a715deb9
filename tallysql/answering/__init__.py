"""Question files in, answer records out."""
