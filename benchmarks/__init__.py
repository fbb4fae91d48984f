"""One script per question. `python -m benchmarks` runs them all; `python -m benchmarks.start` runs one."""
