"""Other programs' report files."""
