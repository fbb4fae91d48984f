"""Bytes in and out: read into memory of our own, written whole or not at all."""
