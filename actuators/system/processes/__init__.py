"""Processes and commands, the same on several systems."""
