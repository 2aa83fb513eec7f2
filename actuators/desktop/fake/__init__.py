"""A desktop in memory, for dry runs, simulation and tests."""
