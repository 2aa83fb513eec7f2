"""A server that speaks as model providers do."""

from collections.abc import Iterator

import pytest

from fixtures.model_server import ModelServer


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """The fixture, on a free port."""
    with ModelServer() as running:
        yield running
