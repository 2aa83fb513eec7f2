"""What outlives the process, on the disk."""
