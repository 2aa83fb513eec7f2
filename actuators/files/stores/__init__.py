"""Disks: what files lie on, opened by handle, and how failures of one read. No verbs."""
