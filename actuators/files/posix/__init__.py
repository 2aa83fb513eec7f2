"""POSIX: files by handles of folders."""
