"""Attacks on tertium from outside: `python -m tools.attack`."""
