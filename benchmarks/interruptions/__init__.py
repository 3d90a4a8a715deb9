"""What a killed process and a faulty server cost; `python -m benchmarks.interruptions --help`."""
