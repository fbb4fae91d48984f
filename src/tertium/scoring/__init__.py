"""Rows for systems and metrics, and the scores they add up to."""

from tertium.scoring.scores import LEVELS, Scores, Tally, align, block_rows, fitted, score

__all__ = ["LEVELS", "Scores", "Tally", "align", "block_rows", "fitted", "score"]
