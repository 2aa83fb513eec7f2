"""What tests need of the machine: without it they are skipped, and fail under `CI=true`, where set-up has seen to it."""

import os
import shutil
from typing import NoReturn

import pytest


def require(*programs: str) -> None:
    """Go on where all of these programs are installed."""
    if missing := [name for name in programs if shutil.which(name) is None]:
        miss(f"{', '.join(missing)} not installed")


def miss(reason: str) -> NoReturn:
    """End the test, since something that it needs isn't there."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{reason}, and under CI=true nothing may be missing", pytrace=False)
    pytest.skip(reason)
