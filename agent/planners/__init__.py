"""Planners and what they are put together from: templates, settings, registry, stores, back ends."""
