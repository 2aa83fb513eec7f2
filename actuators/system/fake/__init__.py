"""The fake back end of the system tools: a machine in memory."""
