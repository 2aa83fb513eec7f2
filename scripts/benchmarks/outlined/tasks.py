"""What a task is."""

from dataclasses import dataclass
from typing import Any

from scripts.benchmarks.outlined.sites import Serve


@dataclass(frozen=True, slots=True)
class Task:
    """A few plain steps, and what is true of the site when they were done.

    Attributes:
        name: What it is called.
        serve: Serves the page that it begins on.
        steps: In everyday words.
        wanted: What the site then says of itself.
    """

    name: str
    serve: Serve
    steps: tuple[str, ...]
    wanted: Any
