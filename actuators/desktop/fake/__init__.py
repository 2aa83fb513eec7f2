"""A desktop in memory."""
