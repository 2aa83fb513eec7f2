"""The desktop hands."""
