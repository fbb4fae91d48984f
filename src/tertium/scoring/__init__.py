"""Rows for systems and metrics, and the scores they add up to."""
