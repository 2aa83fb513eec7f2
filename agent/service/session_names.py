"""Names of sessions: what a person, a program or a voice may call one, the same at every door."""

import re
from typing import Final

from core.base.errors import InputError

SESSION_PATTERN: Final = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"
"""As schemas write it: 1 to 64 letters, digits, dots, hyphens and underscores."""

_NAME = re.compile(SESSION_PATTERN.removesuffix("$"))


def is_session_name(name: str) -> bool:
    """Tell whether a session can have a name."""
    return _NAME.fullmatch(name) is not None


def check_session_name(name: str) -> None:
    """Check the name that somebody gives a session.

    Raises:
        InputError: If it can't be one.
    """
    if not is_session_name(name):
        text = "A session's name has 1 to 64 letters, digits, dots, hyphens and underscores."
        raise InputError(text, code="bad_session_name", hint="Choose another name.")
