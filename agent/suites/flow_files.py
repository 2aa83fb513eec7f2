"""Which flow files are meant, each once and in the order of their names; all are read before any is run, so that a fault in one stops no other."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from agent.requests.flows import Flow, load_flow, parse_flow
from agent.requests.words.documents import read_document
from core.base.errors import FlowError, InputError, SurehandError
from core.base.late_dataclasses import dataclass, field, replace
from core.rules.params import suggest

FLOW_ENDINGS = (".yaml", ".yml", ".json")
MARKED_ENDINGS = tuple(f".flow{ending}" for ending in FLOW_ENDINGS)
"""What flow files end with that are found in folders; other files there may be anything."""

MOST_SHARDS = 10_000
_SHARD = re.compile(r"([0-9]{1,5})/([0-9]{1,5})")
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


def read_shard(text: str) -> slice:
    """Return the part of all flows that ``--shard`` names: they are dealt out one by one, so that no part has two more than another.

    Args:
        text: ``2/5`` for the second of five; empty for all.

    Raises:
        InputError: If it is none.
    """
    found = _SHARD.fullmatch(text or "1/1")
    number, count = map(int, found.groups()) if found else (0, 0)
    if not 1 <= number <= count <= MOST_SHARDS:
        hint = "Write NUMBER/COUNT, such as 2/5 for the second of five parts."
        raise InputError(f'--shard "{text}" is not a part of a suite.', code="bad_usage", hint=hint)
    return slice(number - 1, None, count)


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
        yield from (Path(root, name) for name in names if name.casefold().endswith(MARKED_ENDINGS))


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


@dataclass(frozen=True, slots=True)
class ReadFlow:
    """A flow file after reading.

    Attributes:
        flow: What it says; None where it has a fault.
        fault: The fault, with file, line and column; empty where it has none.
    """

    file: FlowFile
    flow: Flow | None
    fault: str = ""
    hint: str = ""
    variables: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def name(self) -> str:
        """What the flow is called: as it says itself, else by its file."""
        stem = self.file.path.name.partition(".")[0]
        return (self.flow.name if self.flow else "") or stem

    def list_lines(self) -> dict[str, int]:
        """Return the lines of the goals in the file, by goal id."""
        if self.flow is None:
            return {}
        marks = self.flow.document.marks
        pairs = zip(self.flow.goals, self.flow.places, strict=False)
        return {goal.goal_id: marks[place][0] for goal, place in pairs if place in marks}


def read_flows(
    files: Sequence[FlowFile], variables: Mapping[str, str], others: Sequence[FlowFile] = ()
) -> tuple[ReadFlow, ...]:
    """Return all flows, read; each gets those of the variables that it declares.

    Args:
        others: Flows of the suite that are not run this time, whose variables may be named as well.

    Raises:
        InputError: If no flow declares one of the variables: it would set nothing, and look as if it did.
    """
    wanted = set(variables)
    known = set[str]()
    read: list[ReadFlow] = []
    for file in files:
        try:
            declared = _list_variables(file)
            known |= declared
            chosen = {name: variables[name] for name in wanted & declared}
            read.append(ReadFlow(file, load_flow(file.path, chosen), variables=chosen))
        except SurehandError as error:
            info = error.info()
            read.append(ReadFlow(file, None, info.message, info.hint))
    for other in others if wanted - known else ():
        known |= _list_variables(other)
    if unknown := sorted(wanted - known):
        text = f'No flow has a variable "{unknown[0]}"{suggest(unknown[0], known)}.'
        raise InputError(text, hint="Variables are declared under vars.")
    return tuple(read)


def read_again(flow: ReadFlow, text: str) -> ReadFlow:
    """Return a flow as another text of its file would have it.

    Raises:
        FlowError: If the text has a fault.
    """
    return replace(flow, flow=parse_flow(text.removeprefix("\ufeff"), flow.variables, name=str(flow.file.path)))


def _list_variables(file: FlowFile) -> set[str]:
    try:
        data = read_document(file.path).data
    except FlowError:
        return set()  # reading the flow says what is wrong
    declared = data.get("vars") if isinstance(data, dict) else None
    return {str(name) for name in declared} if isinstance(declared, dict) else set()
