"""The conformance suite of the desktop's ports: a back end passes if its subclass of this does."""

from tests.contracts.desktop.input_suite import (
    GuardConformance,
    HandsConformance,
    KeyToolsConformance,
    PointerToolsConformance,
)
from tests.contracts.desktop.screen_suite import ScreenConformance
from tests.contracts.desktop.window_suite import (
    FindingConformance,
    PlacingConformance,
    WindowSystemConformance,
    WindowToolsConformance,
)


class DesktopConformance(
    WindowSystemConformance,
    WindowToolsConformance,
    PlacingConformance,
    FindingConformance,
    HandsConformance,
    PointerToolsConformance,
    GuardConformance,
    KeyToolsConformance,
    ScreenConformance,
):
    """All of it. A subclass has a fixture ``bench`` that gives its back end, without any window."""
