"""The audio hands."""
