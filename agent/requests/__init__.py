"""Requests: flow files, goals files, plans as they are shown, and the archive of runs. Nothing here runs."""
