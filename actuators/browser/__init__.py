"""The browser hands."""
