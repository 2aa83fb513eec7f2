"""The journal of a workspace: rows in SQLite that are sealed, proven when they are read, and on the disk when they were promised."""
