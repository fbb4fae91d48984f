"""Run every benchmark, one table or two each: `python -m benchmarks`, or `make bench`."""

from benchmarks import error_rates, files, hostile, meteor, resampling, start, statistics

for question in (statistics, files, start, hostile, meteor, resampling, error_rates):
    question.main([])
