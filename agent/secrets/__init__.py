"""Secrets: where they are kept. Their handles are in ``core.goals.secret_values``."""
