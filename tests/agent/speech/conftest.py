"""A service over lamps."""

from tests.agent.hosting.conftest import house, service

__all__ = ["house", "service"]
