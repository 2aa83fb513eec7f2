"""What can be read in the text of an outline, and nothing else: its lines, what each stands in, and what opens its folds."""

import re
from dataclasses import dataclass

_LINE = re.compile(r'((?:"(?:\\.|[^"\\])*"|(?! # )[^"])+)(?: # (.*))?')
_QUOTED = re.compile(r'"((?:\\.|[^"\\])*)"')
_SCOPE = re.compile(r"\(scope: (.+?)\)$")
_OPENER = re.compile(r"\(opens: (.+?)\)$")
_CLOSED = "folded"
_FRAME = " >> "
_MARKS = ("#", "- ", "…")


@dataclass(frozen=True, slots=True)
class SeenLine:
    """A line that can be pasted as a selector.

    Attributes:
        pasted: The whole line.
        selector: What stands before its facts.
        kind: Its first word, behind frames.
        name: The first text in quotes behind frames.
        facts: What is said behind it.
        context: Whatever else says where it stands: other texts in its selector, what it is nested in, the heading over it.
    """

    pasted: str
    selector: str
    kind: str
    name: str
    facts: str
    context: str


@dataclass(frozen=True, slots=True)
class SeenFold:
    """A part that isn't shown.

    Attributes:
        said: The line.
        scope: Selector that a look at it takes; empty where something must be pressed.
        opener: Line of what brings it into sight; empty where it is only folded.
    """

    said: str
    scope: str = ""
    opener: str = ""


def read_lines(text: str) -> list[SeenLine]:
    """Return the lines that can be pasted, in their order."""
    found: list[SeenLine] = []
    around: list[tuple[int, str]] = []
    heading = ""
    for line in text.splitlines():
        said = line.strip()
        depth = len(line) - len(line.lstrip())
        if said.startswith("#"):
            heading = said.lstrip("# ")
        if not said or said.startswith(_MARKS):
            continue
        around = [each for each in around if each[0] < depth]
        found.append(_read_line(said, " ".join([heading, *(each for _, each in around)])))
        around.append((depth, found[-1].selector))
    return found


def read_folds(text: str) -> list[SeenFold]:
    """Return the parts that aren't shown, in their order."""
    folds: list[SeenFold] = []
    for said in map(str.strip, text.splitlines()):
        if said.startswith("…"):
            if scope := _SCOPE.search(said):
                folds.append(SeenFold(said, scope=scope[1]))
            elif opener := _OPENER.search(said):
                folds.append(SeenFold(said, opener=opener[1]))
        elif said.endswith(_CLOSED) and " # " in said:
            folds.append(SeenFold(said, scope=_split(said)[0]))
    return folds


def _read_line(said: str, around: str) -> SeenLine:
    selector, facts = _split(said)
    frames, _, plain = selector.rpartition(_FRAME)
    names = _QUOTED.findall(plain)
    name = names[0] if names and plain.partition(" ")[2].startswith('"') else ""
    rest = plain.partition(" ")[2].replace(f'"{name}"', "", 1)
    return SeenLine(said, selector, plain.partition(" ")[0], name, facts, f"{rest} {frames} {around}")


def _split(said: str) -> tuple[str, str]:
    match = _LINE.fullmatch(said)
    return (match[1].rstrip(), match[2] or "") if match else (said, "")
