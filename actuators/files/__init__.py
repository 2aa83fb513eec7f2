"""The hands on files and folders."""
