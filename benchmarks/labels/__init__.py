"""Hand-made labels of what a question asks for, to measure false "applicable".

`applicable.jsonl` holds a label for each of a sample of question pairs of AMA-Bench: the questions
whose ids come first in the sorted order of all ids, until 150 of them ask for no aggregation. Only
ids and labels are stored; the questions are read from the benchmark's own file. docs/probe.md
defines the labels.
"""
