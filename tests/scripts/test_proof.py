"""A trial that saw too little fails and says so, whatever promises it counted as kept."""

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from scripts.chaos_trials import egress as chaos_egress
from scripts.chaos_trials import journal as chaos_journal
from scripts.chaos_trials import proof
from scripts.chaos_trials import redteam as chaos_redteam
from scripts.chaos_trials import resolver as chaos_resolver
from scripts.chaos_trials.kills import kill as chaos_kill
from scripts.chaos_trials.kills.kill_errand import ACTS

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ("Xvfb", "openbox", "dbus-daemon", "dunst", "pulseaudio", "pactl", "xdotool", "dbus-send")
LEAST = {
    "kill": chaos_kill.list_least(500),
    "journal": chaos_journal.list_least(10_000, 2000),
    "resolver": chaos_resolver.list_least(100_000),
    "egress": chaos_egress.list_least(90),
    "redteam": chaos_redteam.list_least(10_000),
}


def test_what_is_below_the_least_is_named_and_what_reaches_it_is_not() -> None:
    figures = {"kills": 10.0, "mid_act": 1.0}
    assert proof.find_unproven(figures, {"kills": 10, "mid_act": 2, "told": 1}) == [
        "mid act 1 of at least 2",
        "told 0 of at least 1",
    ]


def test_a_figure_that_is_no_number_proves_nothing() -> None:
    assert proof.find_unproven({"kills": float("nan")}, {"kills": 1}) == ["kills nan of at least 1"]


@pytest.mark.parametrize(("asked", "least"), [(500, 125.0), (7, 1.0), (1, 1.0), (0, 1.0)])
def test_the_least_grows_with_what_was_asked_for_and_is_never_nothing(asked: int, least: float) -> None:
    assert proof.scale(asked, 0.25) == least


@pytest.mark.parametrize("least", LEAST.values(), ids=LEAST)
def test_a_trial_that_counted_nothing_proves_nothing(
    least: Mapping[str, float], capsys: pytest.CaptureFixture[str]
) -> None:
    assert not proof.is_proven(dict.fromkeys(least, 0.0), least)
    assert capsys.readouterr().out.startswith("proved nothing: ")
    assert proof.is_proven(dict(least), least)


@pytest.mark.parametrize("name", ["kill", "journal", "resolver", "egress"])
@pytest.mark.parametrize("missing", range(4))
def test_one_figure_that_is_missing_is_enough(name: str, missing: int) -> None:
    least = LEAST[name]
    lacking = list(least)[missing % len(least)]
    assert not proof.is_proven({key: value for key, value in least.items() if key != lacking}, least)


def test_the_errand_has_acts_of_every_kind_that_is_done_at_most_once() -> None:
    asked = {act.effect for act in ACTS if act.is_asked}
    assert {"browser.press", "browser.click", "system.launch", "media.next", "desktop.type", "desktop.press"} <= asked
    assert {act.domain for act in ACTS} == {"file", "browser", "audio", "system", "media", "desktop"}


def test_a_trial_of_no_calls_ends_with_an_error() -> None:
    assert chaos_resolver.main(["--calls", "0"]) == 1
    assert chaos_resolver.main(["--calls", "1300"]) == 0


@pytest.mark.timeout(400)
@pytest.mark.skipif(not all(map(shutil.which, PROGRAMS)), reason="a desktop or a sound server is not installed")
def test_a_few_kills_repeat_and_lose_nothing(tmp_path: Path) -> None:
    code = "import sys; from scripts.chaos_trials.kills import kill; sys.exit(kill.main(['--kills', '4', '--places', '1', '--seed', '2', '--json', sys.argv[1]]))"
    command = [sys.executable, "-c", code, str(tmp_path / "figures.json")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    figures = json.loads((tmp_path / "figures.json").read_text())["figures"]
    told = done.stdout + done.stderr[-3000:]
    assert (figures["repeated"], figures["lost"], figures["faults"], figures["kills"]) == (0, 0, 0, 4), told
    assert figures["unknown"] == figures["unknown_reported"], told
