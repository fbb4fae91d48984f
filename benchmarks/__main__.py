"""Run every benchmark, one table or two each: `python -m benchmarks`, or `make bench`."""

from benchmarks import error_rates, files, hostile, meta_evaluation, resampling, start, statistics

for question in (statistics, files, start, hostile, resampling, error_rates, meta_evaluation):
    question.main([])
