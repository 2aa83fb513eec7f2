"""Approval prompts on the terminal."""

import asyncio
import shutil
import sys
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

from agent.cli.screen.output import write_error_text, write_prompt
from core.approvals.approval_texts import show_headline
from core.approvals.approvals import ApprovalRequest, ClassGate
from core.base.phrases import escape_text, fold_text, quote_text, split_lines, tell_value
from core.journal.resume import OpenAct, Settlement
from core.language.meanings.interpretation import Situation
from core.language.talk.several_languages import hear_control
from core.results.records import to_data
from core.results.tool_results import Finding
from core.rules.approval_classes import ApprovalClass
from core.tools.previews import list_items

if sys.platform != "win32":
    import termios


_NEXT_ROW = "      "
_NARROWEST = 20
_CHOICE = "[y/N] "
_LAST_ROWS = 6
"""Rows of the screen that the question's own end takes."""

_ANSWERS: Mapping[str, Settlement] = {"y": "done", "yes": "done", "n": "not_done", "no": "not_done"}


_TEXT_KINDS = frozenset({"write", "append", "edit"})


class TerminalGate:
    """Asks the person at the terminal for what was not approved beforehand."""

    def __init__(
        self, classes: Collection[ApprovalClass], hold: Callable[[], AbstractContextManager[None]] = nullcontext
    ) -> None:
        """Approve these classes without asking.

        Args:
            hold: Keeps the terminal free of everything else while a question is open.
        """
        self._given = ClassGate(classes)
        self._hold = hold
        self._turn = asyncio.Lock()

    async def decide(self, request: ApprovalRequest) -> bool:
        """Ask, one question at a time; anything but a plain yes is no."""
        if await self._given.decide(request):
            return True
        async with self._turn:
            with self._hold():
                return await _ask(_show_question(request))


def _show_question(request: ApprovalRequest) -> str:
    """Return the question; one that takes more than a screen says at its end again what it is about."""
    columns, rows = shutil.get_terminal_size()
    sentence, details = ask_sentence(request), list(_list_details(request))
    told = [*_break(sentence, columns)]
    if not details and len(told) == 1 and len(told[0]) + len(_CHOICE) < columns:
        return f"{told[0]} {_CHOICE}"
    told += [row for line in details for row in _break(f"    {line}", columns)]
    if len(told) > rows - _LAST_ROWS:
        told += _break(show_headline(sentence, request.sources), columns)
    return "".join(f"{row}\n" for row in told) + f"  {_CHOICE}"


def _list_details(request: ApprovalRequest) -> Iterator[str]:
    """Yield what stands below the question: all that would be done where the question says it in short, and the change."""
    if ask_sentence(request) != f"{request.text}?":
        yield request.text
    yield from _list_preview(request)


def _break(line: str, columns: int) -> Iterator[str]:
    """Yield a line in rows that the terminal needn't break: what stands in it can't begin a row of its own."""
    columns = max(columns, _NARROWEST)
    row, width = "", 0
    for char in line:
        cells = 2 if unicodedata.east_asian_width(char) in "WF" else 1
        if width + cells >= columns:
            yield row
            row, width = _NEXT_ROW, len(_NEXT_ROW)
        row, width = row + char, width + cells
    yield row


def _list_preview(request: ApprovalRequest) -> Sequence[str]:
    """Return what the act aims at and would change, line by line; every line is escaped."""
    if request.preview is None:
        return ()
    target = request.preview.target.items()
    told = [f"{escape_text(name.replace('_', ' '))}: {_show_fact(value)}" for name, value in target if value]
    return (*told, *list_items(request.preview.operation), *split_lines(request.preview.diff))


def _show_fact(value: object) -> str:
    """Return something that a page or window says of itself, in full and so that it can't look like another line."""
    return quote_text(value, len(value)) if isinstance(value, str) else fold_text(tell_value(value))


async def _ask(question: str) -> bool:
    _forget_typed()
    write_prompt(question)
    answer = ""
    try:
        answer = await _read_line()
    finally:
        if not answer.endswith("\n"):  # the input ended, or the run was stopped
            sys.stderr.write("\n")
    return is_yes(answer)


def is_yes(answer: str) -> bool:
    """Tell whether an answer is a plain yes in any language ("y", "go ahead", "ja"); praise, and what could be one, is no."""
    if answer.strip().lower() == "y":
        return True
    control = hear_control(answer, Situation.QUESTION)
    return control is not None and control.kind == "confirm" and control.is_plain


async def ask_line(question: str, hold: Callable[[], AbstractContextManager[None]] = nullcontext) -> str:
    """Ask something at the terminal, and return the line that was typed; empty at the end of the input.

    Args:
        hold: Keeps the terminal free of everything else while the question is open.
    """
    with hold():
        _forget_typed()
        write_error_text(f"{question} ")
        answer = await _read_line()
        if not answer.endswith("\n"):
            sys.stderr.write("\n")
    return answer.strip()


def _forget_typed() -> None:
    """Drop what was typed before the question was there: it can't be the answer to it."""
    if sys.platform != "win32":
        termios.tcflush(sys.stdin, termios.TCIFLUSH)


async def _read_line() -> str:
    """Read a line without keeping the program from stopping while nobody answers."""
    loop = asyncio.get_running_loop()
    if sys.platform == "win32":
        return await loop.run_in_executor(None, sys.stdin.readline)
    answered: asyncio.Future[str] = loop.create_future()
    loop.add_reader(sys.stdin, lambda: answered.done() or answered.set_result(sys.stdin.readline()))
    try:
        return await answered
    finally:
        loop.remove_reader(sys.stdin)


class TerminalSettler:
    """Asks the person at the terminal whether an act happened whose end nobody saw."""

    def __init__(self, hold: Callable[[], AbstractContextManager[None]] = nullcontext) -> None:
        """Ask at the terminal.

        Args:
            hold: Keeps the terminal free of everything else while a question is open.
        """
        self._hold = hold

    async def settle(self, act: OpenAct, finding: Finding) -> Settlement:
        """Ask; anything but a clear answer leaves it unknown."""
        text = f"Did this happen? {act.action.description}\n    It began at {act.began_at}, and nobody saw its end."
        return await self.ask(text, to_data({**act.evidence, **finding.evidence}))

    async def ask(self, text: str, known: Mapping[str, Any]) -> Settlement:
        """Ask what somebody else wants to know; anything but a clear answer leaves it unknown."""
        told = f"    Known: {fold_text(tell_value(known))}\n" if known else ""
        question = f"{text}\n{told}  [yes / no / Enter = I don't know] "
        with self._hold():
            _forget_typed()
            write_error_text(question)
            answer = (await _read_line()).strip().lower()
        return _ANSWERS.get(answer, "unknown")


def ask_sentence(request: ApprovalRequest) -> str:
    """Return the question: a change of a text by how many lines it changes, everything else as the plan says it.

    Args:
        request: What must be approved.
    """
    if request.preview is None or request.preview.operation.get("kind") not in _TEXT_KINDS:
        return f"{request.text}?"
    return f"{_tell_change(request.preview.operation, request.preview.diff)}?"


def _tell_change(operation: Mapping[str, Any], diff: str) -> str:
    """Return what a text becomes: ``Change 3 lines in notes.txt``."""
    name = escape_text(_name(str(operation.get("path", ""))))
    added, removed = count_lines(diff)
    if operation.get("creates"):
        return f"Create {name}{f' with {_lines(added)}' if added else ''}"
    if added and removed:
        return f"Change {_lines(max(added, removed))} in {name}"
    if added:
        return f"Add {_lines(added)} to {name}"
    return f"Remove {_lines(removed)} from {name}" if removed else f"Rewrite {name}"


def count_lines(diff: str) -> tuple[int, int]:
    """Return how many lines a unified diff adds and removes.

    Args:
        diff: With or without its two lines of names.
    """
    lines = diff.split("\n")
    if len(lines) > 1 and lines[0].startswith("---") and lines[1].startswith("+++"):
        lines = lines[2:]
    return sum(line.startswith("+") for line in lines), sum(line.startswith("-") for line in lines)


def _lines(number: int) -> str:
    return "1 line" if number == 1 else f"{number} lines"


def _name(path: str) -> str:
    """Return the last part of a path of any system."""
    is_windows = "\\" in path and not path.startswith("/")
    return (PureWindowsPath(path) if is_windows else PurePosixPath(path)).name or path
