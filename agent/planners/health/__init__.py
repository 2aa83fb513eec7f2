"""Health of planners: what is wrong with them, and who is told of it, once."""
