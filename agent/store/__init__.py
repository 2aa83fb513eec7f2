"""What outlives a run, on the disk."""
