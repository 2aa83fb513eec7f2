"""The verbs of sound, written once over the ports."""
