"""Log lines and spans of runs."""
