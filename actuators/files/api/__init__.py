"""The tools of files: signatures and docstrings. No disk."""
