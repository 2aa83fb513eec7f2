"""The command line, as the documents show it."""

from tests.agent.conftest import surehand

__all__ = ["surehand"]
