"""The tools of the desktop: signatures and docstrings."""
