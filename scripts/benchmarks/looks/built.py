"""Pages built with what others have made, to try outlines on: kits of npm's and examples that come with them, served on this machine."""
from collections.abc import Generator
from contextlib import contextmanager

@contextmanager
def serve_built() -> Generator[dict[str, str]]:
    yield {}
