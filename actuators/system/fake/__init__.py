"""A machine in memory."""
