"""Desktop entries: the files by which a Linux desktop knows its applications.

Source: freedesktop.org, "Desktop Entry Specification", version 1.5. Pure: who reads the files is elsewhere.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from core.base.errors import InputError
from core.base.late_dataclasses import dataclass

_GROUP = "[Desktop Entry]"
_KEY = re.compile(r"(?P<key>[A-Za-z0-9-]+)(?:\[(?P<locale>[^\]]+)\])?\s*=\s*(?P<value>.*)")
_LOCALE = re.compile(r"(?P<lang>[^_.@]+)(?:_(?P<country>[^.@]+))?(?:\.[^@]*)?(?:@(?P<modifier>.+))?")
_STRING_ESCAPES = {"s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\"}
_QUOTED_ESCAPES = frozenset('"`$\\')
_FILES = frozenset("fFuU")
_DEPRECATED = frozenset("dDnNvm")
_KNOWN = _FILES | _DEPRECATED | frozenset("ick%")
_CODE = re.compile(r"%(.?)", re.DOTALL)


class BadEntryError(InputError):
    """A desktop entry that doesn't keep the specification."""

    code = "bad_entry"


@dataclass(frozen=True, slots=True, kw_only=True)
class DesktopEntry:
    """An application as a desktop entry describes it; its id is the file's name, and field codes of its command are unexpanded."""

    id: str
    name: str
    names: tuple[str, ...]
    command: tuple[str, ...]
    icon: str = ""
    path: str = ""
    folder: str = ""
    try_exec: str = ""
    terminal: bool = False
    shown: bool = True


def parse_entry(text: str, entry_id: str, path: str, variables: Mapping[str, str]) -> DesktopEntry | None:
    """Return the application of a desktop entry; None if it is deleted, none, or has no command."""
    keys = dict(_read_keys(text))
    command = _get(keys, "Exec")
    if _get(keys, "Type") != "Application" or _get(keys, "Hidden") == "true" or not command:
        return None
    locales = list_locales(variables)
    name = _localise(keys, "Name", locales) or entry_id
    names = (_get(keys, "Name"), _localise(keys, "GenericName", locales), _get(keys, "GenericName"))
    tokens = tuple(split_command(command))
    if not tokens:
        return None
    return DesktopEntry(
        id=entry_id,
        name=name,
        names=tuple(dict.fromkeys(each for each in names if each and each != name)),
        command=tokens,
        icon=_localise(keys, "Icon", locales),
        path=path,
        folder=_get(keys, "Path"),
        try_exec=_get(keys, "TryExec"),
        terminal=_get(keys, "Terminal") == "true",
        shown=_get(keys, "NoDisplay") != "true" and _is_for_desktop(keys, variables),
    )


def split_command(command: str) -> Iterator[str]:
    """Yield the arguments of an Exec line, quotes and their escapes taken off, field codes as they are.

    Beside what the specification allows, quotes may begin within an argument and single quotes are taken, since many
    entries have them; nothing is ever expanded.

    Raises:
        BadEntryError: If a quote isn't closed, or a field code is unknown.
    """
    position, end = 0, len(command)
    while position < end:
        if command[position] in " \t\n\r":
            position += 1
            continue
        parts: list[str] = []
        while position < end and command[position] not in " \t\n\r":
            part, position = _read_part(command, position)
            parts.append(part)
        token = "".join(parts)
        _check_codes(token, command)
        yield token


def expand_command(entry: DesktopEntry, arguments: Sequence[str]) -> list[str]:
    """Return what is executed: the command with its field codes filled in.

    Arguments go where the command has a place for files or addresses, else to the end. Without arguments such places are
    dropped, with all that stands in the same token.
    """
    argv: list[str] = []
    placed = False
    for token in entry.command:
        codes = _list_codes(token)
        if token in {f"%{code}" for code in _FILES}:
            argv += () if placed else arguments
            placed = True
        elif codes == {"i"}:
            argv += ("--icon", entry.icon) if entry.icon else ()
        elif codes & _FILES:
            argv += [_fill(token, entry, each) for each in ([] if placed else arguments)]
            placed = True
        elif filled := _fill(token, entry, ""):
            argv.append(filled)
        elif not codes:
            argv.append("")  # an empty argument that was quoted
    return argv if placed else [*argv, *arguments]


def list_locales(variables: Mapping[str, str]) -> tuple[str, ...]:
    """Return the locales that names are looked up by, the best first."""
    chosen = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := variables.get(name))), "")
    match = _LOCALE.fullmatch(chosen)
    if match is None or match["lang"] in {"C", "POSIX"}:
        return ()
    lang, country, modifier = match["lang"], match["country"], match["modifier"]
    tries = [
        f"{lang}_{country}@{modifier}" if country and modifier else "",
        f"{lang}_{country}" if country else "",
        f"{lang}@{modifier}" if modifier else "",
        lang,
    ]
    return tuple(each for each in tries if each)


def _read_keys(text: str) -> Iterator[tuple[tuple[str, str], str]]:
    inside = False
    for raw in text.splitlines():
        line = raw.strip()
        if line.startswith("["):
            inside = line == _GROUP
        elif inside and not line.startswith("#") and (match := _KEY.fullmatch(line)):
            yield (
                (match["key"], match["locale"] or ""),
                re.sub(r"\\(.)", lambda match: _STRING_ESCAPES.get(match[1], match[0]), match["value"]),
            )


def _get(keys: Mapping[tuple[str, str], str], key: str) -> str:
    return keys.get((key, ""), "")


def _localise(keys: Mapping[tuple[str, str], str], key: str, locales: Sequence[str]) -> str:
    return next((value for each in locales if (value := keys.get((key, each)))), _get(keys, key))


def _is_for_desktop(keys: Mapping[tuple[str, str], str], variables: Mapping[str, str]) -> bool:
    desktops = set(variables.get("XDG_CURRENT_DESKTOP", "").split(":")) - {""}
    only = set(_get(keys, "OnlyShowIn").split(";")) - {""}
    never = set(_get(keys, "NotShowIn").split(";")) - {""}
    return (not only or bool(only & desktops)) and not never & desktops


def _read_part(command: str, start: int) -> tuple[str, int]:
    quote = command[start]
    if quote not in "\"'":
        if quote == "\\" and start + 1 < len(command):
            return command[start + 1], start + 2
        return quote, start + 1
    position, parts = start + 1, list[str]()
    while position < len(command) and command[position] != quote:
        escaped = quote == '"' and command[position] == "\\" and command[position + 1 : position + 2] in _QUOTED_ESCAPES
        position += 1 if escaped else 0
        parts.append(command[position])
        position += 1
    if position >= len(command):
        raise BadEntryError(f"A quote is not closed: {command}", hint="Correct the desktop entry.")
    return "".join(parts), position + 1


def _list_codes(token: str) -> set[str]:
    return {match[1] for match in _CODE.finditer(token)}


def _check_codes(token: str, command: str) -> None:
    if unknown := _list_codes(token) - _KNOWN:
        shown = ", ".join(f"%{code}" for code in sorted(unknown))
        raise BadEntryError(f"Unknown field code {shown}: {command}", hint="Correct the desktop entry.")


def _fill(token: str, entry: DesktopEntry, argument: str) -> str:
    values = {"%": "%", "c": entry.name, "k": entry.path, "i": entry.icon} | dict.fromkeys(_FILES, argument)
    return _CODE.sub(lambda match: values.get(match[1], ""), token)
