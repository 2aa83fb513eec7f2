"""The examples in the documents, by the word after the language of their fence.

- ``yaml flow [NAME]``: a flow that can be planned; a name makes it a file for the commands of the same document.
- ``yaml bad``: a flow that is refused. ``yaml goal``: one goal that can be planned on an open page.
- ``json goals``: a goals file that can be planned. ``toml settings``: a settings file. ``yaml policy``: a file for ``--policy``;
  ``yaml machine``: one for ``--machine``.
- ``console``: commands after ``$``, each with the output below it if any is shown. ``…`` stands for any characters.
- ``sh``: lines that begin with ``surehand`` are commands that succeed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_FENCE = re.compile(r"^```(?P<kind>[^\n`]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ (?P<command>.*)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE)


@dataclass(frozen=True)
class Example:
    """A fenced block of a document."""

    file: str
    line: int
    kind: str
    text: str

    def __str__(self) -> str:
        """Return where it stands."""
        return f"{self.file}:{self.line}"

    @property
    def commands(self) -> list[tuple[str, str]]:
        """The commands of a console block with the output that is shown; those of a shell block show none."""
        if self.kind == "sh":
            return [(line, "") for line in self.text.splitlines() if line.startswith("surehand ")]
        return [(match["command"], match["output"]) for match in _COMMAND.finditer(self.text)]


def list_documents() -> list[Path]:
    """Return README.md and every document in docs/."""
    return [path for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))) if path.exists()]


def list_examples(kind: str) -> list[Example]:
    """Return all examples of a kind: ``yaml flow``, ``console`` and so on."""
    return [each for path in list_documents() for each in read_examples(path) if f"{each.kind} ".startswith(f"{kind} ")]


def read_examples(path: Path) -> Iterator[Example]:
    """Yield the fenced blocks of a document."""
    text = path.read_text(encoding="utf-8")
    for match in _FENCE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        yield Example(path.relative_to(ROOT).as_posix(), line, match["kind"].strip(), match["text"])


def matches_output(actual: str, shown: str) -> bool:
    """Tell whether an output is what a document shows of it."""
    pattern = ".*".join(map(re.escape, shown.strip().split("…")))
    return re.fullmatch(pattern, actual.strip(), re.DOTALL) is not None
