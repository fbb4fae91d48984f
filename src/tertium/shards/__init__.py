"""Corpora in many files: shards read in constant memory, their rows on disk, and rows of many machines merged."""
