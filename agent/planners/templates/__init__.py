"""Prompt templates: shipped ones, a person's own in place of them, and what planners need of both."""
