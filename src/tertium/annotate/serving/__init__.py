"""The server: routes, limits, headers. Needs the extra [annotate]; nothing else in the package does."""
