"""The verbs of files, written once over the ports."""
