"""Layouts of judgments, one file each."""
