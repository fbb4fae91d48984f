"""Programs for those who work on tertium; none is part of it."""
