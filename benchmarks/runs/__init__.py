"""Run folders: everything about one run of a benchmark, and what adds to it.

A folder is filled by steps that each skip what is there already, so that an interrupted run goes on
where it stopped. A system of one's own takes part by writing `answers/NAME.jsonl` (answer records,
docs/architecture.md, "Answering") and, if it likes, `prompts/NAME.parquet`; then
`python -m benchmarks.report FOLDER` scores and shows it beside the others. See docs/evaluation.md.
"""
