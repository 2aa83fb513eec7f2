"""Outlines that are kept in files."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from agent.cli.asking import check_folder
from core.base.errors import InputError
from core.base.late_dataclasses import dataclass
from core.outlines.folding import make_changes_outline
from core.outlines.items import TEXT, ItemName, Outline, OutlineItem, OutlineRequest

_FOLD = "…"
_WAY = re.compile(r"^ *… .*\((?:scope|max_tokens|find): | # \d+ [a-z]+ folded$")
_NO_FRAMES = re.compile(r'(?:frame "(?:[^"\\]|\\.)*" >> )*(?P<kind>[a-z]*)')
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_ESCAPED = re.compile(r"\\(.)")
_HEADING = re.compile(r"(#{1,6}) (.*)")
_FACT = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^,"]|,(?! ))+')
_VALUE, _NOT = "= ", "not "

Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _ReadLine:
    item: OutlineItem
    selector: str


def is_folded(outline: Line) -> bool:
    """Tell whether an outline leaves out what a larger one would show; what can't be seen is left out of all."""
    lines: Sequence[Line] | None = outline.get("lines")
    return bool(outline.get("truncated")) if lines is None else any(_WAY.search(str(each["text"])) for each in lines)


async def tell_changes(before: Sequence[Line], after: Sequence[Line], max_tokens: int) -> Outline:
    """Return an outline of what was added, has changed and is gone."""
    earlier, later = [*_read_lines(before, "a")], [*_read_lines(after, "b")]
    names = {each.item.ref: ItemName(each.selector) for each in later}

    async def name_items(items: Sequence[OutlineItem]) -> Mapping[str, ItemName]:
        return {item.ref: names[item.ref] for item in items if item.ref in names}

    items = [[each.item for each in lines] for lines in (earlier, later)]
    return await make_changes_outline(items[0], items[1], OutlineRequest(max_tokens), name_items)


def _read_lines(lines: Sequence[Line], prefix: str) -> Iterator[_ReadLine]:
    """Yield what lines tell. Refs are of one look only, so that things are known again by what they are."""
    for number, line in enumerate(lines):
        text, selector = str(line["text"]), str(line.get("selector") or "")
        bare = text.lstrip(" ")
        if bare.startswith(_FOLD):
            continue
        ref, level = f"{prefix}{number}", (len(text) - len(bare)) // 2
        yield _ReadLine(_read_thing(bare, selector, ref, level) if selector else _read_text(bare, ref, level), selector)


def _read_text(text: str, ref: str, level: int) -> OutlineItem:
    if heading := _HEADING.fullmatch(text):
        return OutlineItem(ref, level, "heading", heading[2], level_of_heading=len(heading[1]))
    return OutlineItem(ref, level, TEXT, text.removeprefix("- "))


def _read_thing(text: str, selector: str, ref: str, level: int) -> OutlineItem:
    found = _NO_FRAMES.match(selector)
    kind, rest = (found["kind"], selector[found.end() :]) if found else ("", selector)
    name = _QUOTED.match(rest.lstrip())
    facts = [each.strip() for each in _FACT.findall(text.removeprefix(selector).removeprefix(" # "))]
    value = next((_unquote(each.removeprefix(_VALUE)) for each in facts if each.startswith(_VALUE)), None)
    states = tuple(each for each in facts if not each.startswith((_VALUE, _NOT)))
    called = _unquote(name[0]) if name else rest.strip()
    return OutlineItem(ref, level, kind or "thing", called, value, states, can_act=True)


def _unquote(text: str) -> str:
    return _ESCAPED.sub(r"\1", text[1:-1]) if _QUOTED.fullmatch(text) else text


VERSION = 1
LARGEST_FILE = 32 * 1024 * 1024
_MARK = "surehand_outline"
_LOOKED = ("scope", "depth", "find")


def stamp_outline(outline: Mapping[str, Any]) -> dict[str, Any]:
    """Return an outline as data that can be told for one."""
    return {_MARK: VERSION, **outline}


def write_outline(outline: Mapping[str, Any]) -> bytes:
    """Return the content of a file that keeps an outline."""
    return f"{json.dumps(stamp_outline(outline), ensure_ascii=False, indent=1)}\n".encode("utf-8", "backslashreplace")


def check_place(path: Path) -> None:
    """Check that nothing else than an outline would be lost."""
    check_folder(path)
    if path.exists():
        try:
            read_outline(path)
        except InputError as error:
            hint = "Choose another name; only an outline is replaced by a later one."
            raise InputError(f"{path} already exists and is not an outline.", code="file_exists", hint=hint) from error


def read_outline(path: Path) -> Mapping[str, Any]:
    """Return an outline that was kept, or that ``--json`` wrote."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise _fail(path, f"it is larger than {LARGEST_FILE // 1024 // 1024} MiB")
        data = json.loads(path.read_bytes())
    except OSError as error:
        hint = "Keep one first: surehand look … --output FILE."
        raise InputError(f"{path} can't be read: {error.strerror}.", code="file_unreadable", hint=hint) from error
    except (ValueError, RecursionError) as error:
        raise _fail(path, "it is not JSON") from error
    if not isinstance(data, dict) or _MARK not in data:
        raise _fail(path, f"it lacks {_MARK}")
    if data[_MARK] != VERSION:
        raise _fail(path, f"it is of another version ({data[_MARK]}, not {VERSION})")
    if not _is_list_of_lines(data.get("lines")):
        raise _fail(path, "it lacks the list of lines")
    return cast("Mapping[str, Any]", data)


def check_same_look(before: Mapping[str, Any], wanted: Mapping[str, Any], path: Path) -> None:
    """Check that two looks are at the same part, so that what differs has changed."""
    for name in _LOOKED:
        if before.get(name) != wanted.get(name):
            told = f"--{name} {before[name]}" if before.get(name) is not None else f"no --{name}"
            raise InputError(f"{path} was kept with {told}.", hint="Look the same way again, or leave out --since.")


def _is_list_of_lines(lines: object) -> bool:
    if not isinstance(lines, list):
        return False
    return all(
        isinstance(each, dict) and isinstance(cast("Mapping[str, Any]", each).get("text"), str) for each in lines
    )


def _fail(path: Path, why: str) -> InputError:
    hint = "Name a file that surehand look --output or --json wrote."
    return InputError(f"{path} is not an outline: {why}.", code="not_an_outline", hint=hint)
