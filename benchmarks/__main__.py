"""Run every benchmark, one table or two each: `python -m benchmarks`, or `make bench`."""

from benchmarks import edit_distance, error_rates, files, hostile, resampling, start, statistics, ter, terp

for question in (statistics, files, start, hostile, edit_distance, ter, terp, resampling, error_rates):
    question.main([])
