"""Windows: files by handles of the NT kernel."""
