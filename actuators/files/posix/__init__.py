"""Files by the calls of POSIX."""
