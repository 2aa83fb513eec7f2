"""Trashes: where deleted files go, by system."""
