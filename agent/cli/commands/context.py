"""`surehand context`: what is remembered across runs."""

import asyncio
import sys
from collections.abc import Iterable
from pathlib import Path

from agent.cli.exits import APPROVAL_MISSING, BAD_INPUT, STEP_FAILED, SUCCEEDED
from agent.cli.screen.output import write_error, write_error_text, write_json, write_result
from agent.settings.folder_checks import locate_state
from agent.store.context_file import ContextFile
from agent.store.seals import WHY_FOREIGN
from core.base.errors import InputError, RefusedError, SurehandError
from core.base.phrases import cut_text, escape_text
from core.memory.facts import ContextMemory, Note, Preference
from core.results.provenance import Origin
from core.results.records import to_data

_FOREIGN = f"This may not be yours: {WHY_FOREIGN}. You can look at it, but it isn't used; the next run moves it aside."
_SHOWN = 10
_WIDTH = 100
_TITLES = {
    "opened": "Opened",
    "created": "Created",
    "targeted": "Acted on",
    "results": "Results",
    "failures": "Not done",
}


def show_context(workspace: Path, *, as_json: bool) -> int:
    """Print what is remembered, and return the exit code."""
    try:
        memory, is_own = asyncio.run(_look(_locate(workspace)))
    except SurehandError as error:
        write_error(error)
        return _choose_code(error)
    if as_json:
        write_json({**to_data(memory), "is_foreign": not is_own})
        return SUCCEEDED
    lines = [*(() if is_own else (_FOREIGN,)), *_describe(memory)]
    write_result("\n".join(lines or ["Nothing is remembered."]) + "\n")
    return SUCCEEDED


def reset_context(workspace: Path, *, everything: bool, yes: bool) -> int:
    """Forget what runs left in mind, and return the exit code.

    Args:
        yes: Whether not to ask.
    """
    try:
        folder = _locate(workspace)
        if not yes and not _ask(everything=everything):
            write_error_text("Nothing was changed.\n")
            return APPROVAL_MISSING
        aside = asyncio.run(_reset(folder, everything=everything))
    except SurehandError as error:
        write_error(error)
        return _choose_code(error)
    if aside:
        write_result(f"The memory could not be read. It was moved to {aside}, and a new one begins empty.\n")
    else:
        write_result(f"Forgotten{'.' if everything else '; what you asked to remember stays.'}\n")
    return SUCCEEDED


def _ask(*, everything: bool) -> bool:
    """Return whether a person says yes."""
    if not sys.stdin.isatty():
        text = "This needs a yes, and nobody is here to give it."
        raise RefusedError(text, code="approval_missing", hint="Add --yes.")
    what = "everything that is remembered" if everything else "what earlier runs left in mind"
    write_error_text(f"Forget {what}? [y/N] ")
    answer = sys.stdin.readline()
    if not answer.endswith("\n"):
        write_error_text("\n")
    return answer.strip().lower() in {"y", "yes"}


def _locate(workspace: Path) -> Path:
    if not workspace.is_dir():
        raise InputError(f'The workspace "{workspace}" is not a folder.', hint="Name another.")
    return locate_state(workspace)


def _choose_code(error: SurehandError) -> int:
    if error.code == "approval_missing":
        return APPROVAL_MISSING
    return BAD_INPUT if isinstance(error, InputError | RefusedError) else STEP_FAILED


async def _look(folder: Path) -> tuple[ContextMemory, bool]:
    context = ContextFile(folder)
    try:
        return await context.look()
    finally:
        await context.close()


async def _reset(folder: Path, *, everything: bool) -> str:
    context = ContextFile(folder)
    try:
        return await context.reset(preferences=everything)
    finally:
        await context.close()


def _describe(memory: ContextMemory) -> Iterable[str]:
    if memory.preferences:
        yield "Remembered"
        yield from (f"  {_describe_preference(each)}" for each in memory.preferences)
    for name, title in _TITLES.items():
        notes: tuple[Note, ...] = getattr(memory, name)
        if notes:
            yield title
            yield from (f"  {_describe_note(note)}" for note in notes[:_SHOWN])
        if len(notes) > _SHOWN:
            yield f"  … and {len(notes) - _SHOWN} more (--json shows all)"


def _describe_preference(preference: Preference) -> str:
    return f"{_tell(preference.key)}: {_tell(str(preference.value))}{_tell_origins(preference.origins)}"


def _describe_note(note: Note) -> str:
    return f"{note.at}  {_tell(note.kind)}  {_tell(note.value)}{_tell_origins(note.origins)}"


def _tell_origins(origins: tuple[Origin, ...]) -> str:
    return f"  (read from {_tell('; '.join(map(str, origins)))})" if origins else ""


def _tell(text: str) -> str:
    return cut_text(escape_text(text), _WIDTH)
