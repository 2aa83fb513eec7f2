"""Ports: what the verbs need of a desktop, and what guards its pictures and pointer."""
