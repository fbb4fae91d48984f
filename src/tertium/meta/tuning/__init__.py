"""Tuning a metric to people, and what that is worth on judgments it has not seen."""

from tertium.meta.tuning.tune import Tuning, tune

__all__ = ["Tuning", "tune"]
