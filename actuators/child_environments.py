"""The environment of the programs that this one starts: what it has itself, but for the variables that hold secrets."""

import os
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager

from core.goals.secret_values import VARIABLES

INSIDE = "SUREHAND_INSIDE"
"""Marks what the hands started: no command of Surehand does anything there, so that nobody gives himself a yes by starting one."""

_WITHHELD: dict[str, str] = {}
_LENDING = threading.Lock()


def make_child_environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the variables that a program may have which this one starts, with more to add or to set instead."""
    return {name: value for name, value in os.environ.items() if not holds_secret(name)} | dict(more or {})


def read_secrets() -> dict[str, str]:
    """Return the variables of this process that hold secrets, also while they are withheld."""
    return {name: value for name, value in (_WITHHELD | dict(os.environ)).items() if holds_secret(name)}


def holds_secret(name: str) -> bool:
    """Tell whether a variable holds a secret, by its name."""
    return name.upper().startswith(VARIABLES)


@contextmanager
def lend_environment(more: Mapping[str, str]) -> Generator[None]:
    """Let children that start meanwhile have these variables, and none with secrets.

    For libraries that give a child this process's environment and offer no other way. Of several threads one at a time
    may do so, which the others wait for.
    """
    with _LENDING:
        secrets = read_secrets()
        before = {name: os.environ.get(name) for name in more}
        _WITHHELD.update(secrets)
        try:
            for name in secrets:
                os.environ.pop(name, None)
            os.environ.update(more)
            yield
        finally:
            _put_back(before | secrets)
            _WITHHELD.clear()


def _put_back(before: Mapping[str, str | None]) -> None:
    for name, value in before.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
