"""A small browser in memory. What it doesn't know it refuses as ``not_simulated``."""
