"""The verbs of the machine, written once over the ports."""
