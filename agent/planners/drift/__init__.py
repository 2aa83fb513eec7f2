"""Drift: what planners keep relies on the shape of stores, templates, rules and tools; a start with another shape is refused."""
