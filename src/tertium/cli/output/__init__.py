"""What commands show: tables, records, pictures, progress."""
