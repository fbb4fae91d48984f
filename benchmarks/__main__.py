"""Run every benchmark, one table or two each: `python -m benchmarks`, or `make bench`."""

from benchmarks import files, hostile, start, statistics

for question in (statistics, files, start, hostile):
    question.main([])
