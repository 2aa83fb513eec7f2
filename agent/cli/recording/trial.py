"""Tries a flow that was recorded, and tells what didn't come."""

import asyncio
import getpass
from dataclasses import dataclass, replace
from pathlib import Path

from agent.cli.exits import STEP_FAILED, SUCCEEDED
from agent.cli.recording.replaying import Replay, ReplayWish, list_missing_secrets, replay_flow
from agent.cli.screen.output import write_error, write_error_text, write_notes
from agent.cli.screen.reports import is_at_terminal
from agent.store.private_files import write_whole


@dataclass(frozen=True, slots=True)
class RecordedTrial:
    """How a flow is tried."""

    wish: ReplayWish
    workspace: Path
    secrets: tuple[str, ...]
    words: str


def put_flow(output: Path | None, text: str) -> None:
    """Write a flow to its file, if it has one."""
    if output:
        write_whole(output, text.encode("utf-8"))


def tell_unasked(expect: str) -> None:
    """Say that nobody could accept expectations, where they were to be asked about."""
    if expect == "ask" and not is_at_terminal():
        write_notes(["Nobody was at the terminal to accept expectations; --expect all writes those that are likely."])


def try_flow(text: str, trial: RecordedTrial, *, is_wanted: bool) -> tuple[str, int]:
    """Try a flow; return a remark for its file, empty where it came as recorded, and the exit code.

    Args:
        is_wanted: Whether it is to be tried; else only what it lacks is told.
    """
    missing = list_missing_secrets(trial.secrets, trial.wish.settings, trial.workspace)
    lent = _ask_for_secrets(missing) if missing and is_wanted else {}
    write_notes(f"The flow needs a secret: surehand secrets set {each}" for each in missing)
    if not is_wanted:
        return "It was not tried.", SUCCEEDED
    if left := [each for each in missing if each not in lent]:
        write_notes([f"It was not tried, because it needs {', '.join(left)}."])
        return f"It was not tried: it needs secret {', '.join(left)}.", STEP_FAILED
    write_error_text(f"{trial.words}\n")
    return _report(asyncio.run(replay_flow(text, replace(trial.wish, secrets=lent))))


def _ask_for_secrets(names: tuple[str, ...]) -> dict[str, str]:
    """Return what the person lends for the trial; it is kept nowhere."""
    if not is_at_terminal():
        return {}
    write_error_text("For the trial alone; nothing of it is kept. Enter alone leaves the trial out.\n")
    given = {name: getpass.getpass(f"{name}: ") for name in names}
    return {name: value for name, value in given.items() if value}


def _report(replay: Replay) -> tuple[str, int]:
    if replay.is_whole:
        write_error_text(f"It came as recorded: {replay.done} of {replay.count} steps.\n")
        return "", SUCCEEDED
    for error in replay.errors:
        write_error(error)
    for each in replay.missed:
        write_error_text(f"Step {each.number} did not replay: {each.description}\n")
        write_error(each.error)
    first = replay.missed[0] if replay.missed else None
    why = f"step {first.number} failed ({first.error.code})" if first else "it could not be planned"
    return f"It did not replay when it was recorded: {why}.", STEP_FAILED
