"""`surehand context`: what is remembered across runs."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Annotated, TypeVar

from agent.cli.asking import locate_kept
from agent.cli.declaring import command, make_group
from agent.cli.exits import APPROVAL_MISSING, SUCCEEDED
from agent.cli.options import HERE, AsJson, Option, Workspace
from agent.cli.screen.output import show, write_error_text, write_lines
from agent.store.context_file import ContextFile
from agent.store.seals import WHY_FOREIGN
from core.base.errors import RefusedError
from core.base.phrases import cut_text, escape_text
from core.memory.facts import ContextMemory, Note, Preference
from core.results.provenance import Origin
from core.results.records import to_data

Found = TypeVar("Found")

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

app = make_group("See or forget what is remembered across runs.", "surehand context show")


@command(app, "show", "surehand context show --json")
def show_context(as_json: AsJson = False, workspace: Workspace = HERE) -> int:
    """Show what earlier runs left in mind, and what you asked to remember."""
    memory, is_own = asyncio.run(_use(locate_kept(workspace), ContextFile.look))
    lines = [*(() if is_own else (_FOREIGN,)), *_describe(memory)]
    show({**to_data(memory), "is_foreign": not is_own}, lines or ["Nothing is remembered."], as_json=as_json)
    return SUCCEEDED


@command(app, "reset", "surehand context reset --yes")
def reset_context(
    yes: Annotated[bool, Option("--yes", "Don't ask.")] = False,
    everything: Annotated[bool, Option("--all", "Also forget what you asked to remember.")] = False,
    workspace: Workspace = HERE,
) -> int:
    """Forget what earlier runs left in mind."""
    folder = locate_kept(workspace)
    if not yes and not _ask(everything=everything):
        write_error_text("Nothing was changed.\n")
        return APPROVAL_MISSING
    if aside := asyncio.run(_use(folder, lambda context: context.reset(preferences=everything))):
        write_lines([f"The memory could not be read. It was moved to {aside}, and a new one begins empty."])
    else:
        write_lines([f"Forgotten{'.' if everything else '; what you asked to remember stays.'}"])
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


async def _use(folder: Path, work: Callable[[ContextFile], Awaitable[Found]]) -> Found:
    context = ContextFile(folder)
    try:
        return await work(context)
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
