"""Run every benchmark, one table or two each: `python -m benchmarks`, or `make bench`."""

from benchmarks import (
    edit_distance,
    error_rates,
    files,
    hostile,
    meta_evaluation,
    meteor,
    resampling,
    start,
    statistics,
    ter,
    terp,
)

for question in (
    statistics,
    files,
    start,
    hostile,
    edit_distance,
    ter,
    terp,
    meteor,
    resampling,
    error_rates,
    meta_evaluation,
):
    question.main([])
