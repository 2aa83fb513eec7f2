"""The verbs of the desktop, written once over the ports."""
