"""Options: our own, and those of pytest-playwright and pytest-base-url where these plugins are not there."""

import os
import sys
from typing import Any

import pytest

_KEPT = ("on", "off", "retain-on-failure")
_BROWSER_OPTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("--headed", {"action": "store_true", "default": False, "help": "Show the browser's window."}),
    ("--browser-channel", {"default": None, "help": "Browser to use: chromium, chrome or msedge."}),
    ("--output", {"default": "test-results", "help": "Folder for what tests leave, test-results where absent."}),
    ("--tracing", {"default": "off", "choices": _KEPT, "help": "Whether to keep a trace of each test."}),
    ("--video", {"default": "off", "choices": _KEPT, "help": "Whether to keep a video of each test."}),
    (
        "--screenshot",
        {
            "default": "off",
            "choices": ("on", "off", "only-on-failure"),
            "help": "Whether to keep a picture of the page at the end of each test.",
        },
    ),
)
_BASE_URL = "--base-url"


def add_own_options(parser: pytest.Parser) -> None:
    """Add what is ours alone."""
    group = parser.getgroup("surehand", "Surehand")
    group.addoption(
        "--surehand-yes",
        action="append",
        default=[],
        choices=("apply_diff", "run_job"),
        metavar="CLASS",
        help="Give a class of approvals beforehand: apply_diff or run_job; may be given twice.",
    )
    group.addoption(
        "--surehand-var",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="Give a variable of flow files another value; flows that don't have it leave it out.",
    )
    group.addoption(
        "--surehand-html", default=None, metavar="DIR", help="Write a report of all tests with a hand into DIR."
    )
    parser.addini("surehand_files", "Folder whose files every worker's workspace begins with.", default="")


def add_browser_options(config: pytest.Config, parser: pytest.Parser) -> None:
    """Add the options of pytest-playwright where it isn't there; one that another plugin has is left to it."""
    if _is_there(config.pluginmanager, "pytest_playwright.pytest_playwright"):
        return
    taken = {name for group in getattr(parser, "_groups", ()) for option in group.options for name in option.names()}
    group = parser.getgroup("surehand-browser", "Surehand: the browser, as pytest-playwright has it")
    for name, attributes in _BROWSER_OPTIONS:
        if name not in taken:
            group.addoption(name, **attributes)
    if lacks_base_address(config.pluginmanager) and _BASE_URL not in taken:
        parser.addini("base_url", "Address of what is tested.", default="")
        group.addoption(
            _BASE_URL, default=os.environ.get("PYTEST_BASE_URL"), metavar="URL", help="Address of what is tested."
        )


def lacks_base_address(plugins: pytest.PytestPluginManager) -> bool:
    """Tell whether no other plugin gives the fixture `base_url`."""
    return not any(
        _is_there(plugins, each) for each in ("pytest_base_url.plugin", "pytest_playwright.pytest_playwright")
    )


def _is_there(plugins: pytest.PytestPluginManager, module: str) -> bool:
    found = sys.modules.get(module)
    return found is not None and plugins.is_registered(found)
