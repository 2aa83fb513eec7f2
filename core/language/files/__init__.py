"""Files: reading how people name files and folders. Nothing is looked up."""
