"""A robot with the real pointer and keyboard buys in a browser with a window; what was recorded replays three times."""

import sys
from dataclasses import replace

import pytest

from actuators.browser.playwright.session.discovery import find_browser
from actuators.browser.playwright.session.programs import inspect_machine
from agent.settings.settings import load_settings
from scripts.benchmarks.environment import ROOT
from scripts.benchmarks.recorded.purchases import REPLAYS, measure_record
from tests.prerequisites import miss


def has_window() -> bool:
    """Tell whether a browser is here that could have a window on a display of the robot's own."""
    machine = inspect_machine()
    there = replace(machine, environment={**machine.environment, "DISPLAY": ":99"})
    return find_browser(load_settings(ROOT).browser_path, headed=True, machine=there).found is not None


@pytest.mark.skipif(sys.platform != "linux", reason="the robot needs X")
def test_a_purchase_by_the_real_pointer_replays_three_times_and_holds_no_password() -> None:
    if not has_window():
        miss("no browser with a window is installed")
    figures = measure_record()["figures"]
    assert figures["replays_ok"] == REPLAYS
    assert figures["leaked"] == 0
    assert figures["recorded"] >= 19
