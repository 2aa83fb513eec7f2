"""Ports: what the verbs need of a machine. Protocols and facts only."""
