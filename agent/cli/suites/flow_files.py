"""Which flow files are meant: files, folders and globs, each flow once and in the order of their names."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.base.errors import InputError
from core.rules.params import suggest

FLOW_ENDINGS = (".yaml", ".yml", ".json")
MARKED_ENDINGS = tuple(f".flow{ending}" for ending in FLOW_ENDINGS)
"""What flow files end with that are found in folders; other files there may be anything."""

_PATTERN = frozenset("*?[")
_PASSED_OVER = frozenset({"node_modules", "__pycache__"})


@dataclass(frozen=True, slots=True)
class FlowFile:
    """A flow file that is to be run.

    Attributes:
        name: How the person named it; with ``/`` on every system, so that reports of several machines agree.
    """

    path: Path
    name: str


def gather_flows(places: Sequence[str]) -> tuple[FlowFile, ...]:
    """Return the flows that are meant, sorted by name; a file that is named twice is there once.

    Args:
        places: Files, folders and globs. In a folder, what ends as flows do (``*.flow.yaml``) is meant, however deep it lies.

    Raises:
        InputError: ``no_flows`` if nothing is found for a place.
    """
    found: dict[Path, FlowFile] = {}
    for place in places:
        named = sorted(_list_files(place))
        if not named:
            raise _miss(place)
        for path in named:
            found.setdefault(path.resolve(), FlowFile(path, path.as_posix()))
    return tuple(sorted(found.values(), key=lambda each: each.name))


def choose_flows(flows: Sequence[FlowFile], only: Sequence[str]) -> tuple[FlowFile, ...]:
    """Return the flows whose name has one of some parts, whatever the capitals.

    Args:
        only: The parts; empty for all flows.

    Raises:
        InputError: ``no_flows`` if nothing is left.
    """
    parts = [part.casefold() for part in only]
    chosen = tuple(each for each in flows if not parts or any(part in each.name.casefold() for part in parts))
    if not chosen:
        told = " or ".join(f'"{part}"' for part in only)
        hint = f"There are {len(flows)}, such as {flows[0].name}." if flows else ""
        raise InputError(f"No flow has {told} in its name.", code="no_flows", hint=hint)
    return chosen


def is_flow_name(name: str) -> bool:
    """Tell whether a file of a folder is a flow by its name."""
    return name.casefold().endswith(MARKED_ENDINGS)


def _list_files(place: str) -> Iterator[Path]:
    path = Path(place)
    if path.is_dir():
        yield from _walk(path)
    elif path.is_file():
        if not place.casefold().endswith(FLOW_ENDINGS):
            hint = f"Flows end with {', '.join(FLOW_ENDINGS)}."
            raise InputError(f'"{place}" is not a flow file.', code="no_flows", hint=hint)
        yield path
    elif _PATTERN.intersection(place):
        anchor = Path(path.anchor) if path.anchor else Path()
        for each in anchor.glob(str(path.relative_to(path.anchor))):
            if each.is_file() and each.name.casefold().endswith(FLOW_ENDINGS):
                yield each


def _walk(folder: Path) -> Iterator[Path]:
    """Yield the flows of a folder; links to folders are not followed, and hidden folders and packages are left out."""
    for root, folders, names in os.walk(folder):
        folders[:] = [each for each in folders if not each.startswith(".") and each not in _PASSED_OVER]
        yield from (Path(root, name) for name in names if is_flow_name(name))


def _miss(place: str) -> InputError:
    path = Path(place)
    if path.is_dir():
        hint = f"Flows of a folder end with {', '.join(MARKED_ENDINGS)}; name other files one by one."
        return InputError(f'The folder "{place}" has no flows.', code="no_flows", hint=hint)
    if _PATTERN.intersection(place):
        return InputError(f'No flow matches "{place}".', code="no_flows", hint="** goes through folders.")
    near = suggest(path.name, _list_names(path.parent)).strip(" ()").capitalize()
    return InputError(f'There is no file or folder "{place}".', code="no_flows", hint=near)


def _list_names(folder: Path) -> list[str]:
    try:
        return [each.name for each in folder.iterdir()]
    except OSError:
        return []
