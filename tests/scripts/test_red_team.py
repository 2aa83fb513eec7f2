"""A hostile caller with every verb finds no token, no key and no yes."""

import sys

import pytest

from scripts.chaos_trials.redteam import main
from tests.thoroughness import is_thorough

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the trial speaks to sockets, which Windows lacks")


def test_a_hostile_caller_finds_no_token_no_key_and_no_yes(capsys: pytest.CaptureFixture[str]) -> None:
    ended = main(["--tries", "1000" if is_thorough() else "150", "--seed", "27"])
    assert ended == 0, capsys.readouterr().out
