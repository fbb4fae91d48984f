"""Slow textbook versions of what the native core does, written from the definitions and nothing else."""
