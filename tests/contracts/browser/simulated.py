"""Cases of the shared suite that the fake browser must refuse: neither doing them nor failing otherwise will do."""

from typing import Any

import pytest

not_simulated = pytest.mark.not_simulated


def is_refused(item: pytest.Item) -> bool:
    """Tell whether a case is one that must be refused where it runs."""
    on: Any = getattr(item, "cls", None)
    return bool(getattr(on, "is_simulated", False)) and item.get_closest_marker("not_simulated") is not None
