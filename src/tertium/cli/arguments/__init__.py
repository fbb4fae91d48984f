"""What commands are given: files, systems, metrics, judgments."""
