"""The hands on media players."""
