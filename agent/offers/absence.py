"""What is null was left out, at every door that takes JSON."""

from typing import Any


def leave_out_nulls(given: Any) -> Any:
    """Return what came without what is null in it: many clients write out all that they know of. Goes before the checks of a model."""
    return {name: each for name, each in given.items() if each is not None} if isinstance(given, dict) else given
