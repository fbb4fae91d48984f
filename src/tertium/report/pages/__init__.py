"""Pages in one file each."""
