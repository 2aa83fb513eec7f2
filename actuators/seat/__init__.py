"""The seat: keyboard and pointer are one run's at a time, and programs that end meanwhile are noticed."""
