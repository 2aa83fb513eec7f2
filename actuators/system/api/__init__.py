"""The tools of the machine: signatures and docstrings."""
