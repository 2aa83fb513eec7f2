"""The page that shows misses beside pictures of then and now: one file that needs nothing else, and can't change anything."""

import base64
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment
from PIL import Image, UnidentifiedImageError

from agent.cli.mending.misses import FlowMiss
from agent.cli.mending.words import list_facts, tell_title, tell_why_none
from core.outlines.recognising import tell_difference
from core.outlines.sightings import SeenThing

_TEMPLATE = Path(__file__).with_name("mend_page.html")
_LARGEST = 4 * 1024 * 1024

FindPicture = Callable[[str], Path]


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture of a thing with what is said of it.

    Attributes:
        title: What it is: then, or now.
        is_then: Whether it is of the last run that went well.
        data: The picture in base64; empty for none.
        width: In pixels.
        height: In pixels.
    """

    title: str
    words: str
    label: str
    facts: tuple[tuple[str, str], ...]
    is_then: bool
    data: str = ""
    width: int = 0
    height: int = 0
    mark: tuple[float, ...] = ()


def write_page(flow: Path, misses: Sequence[FlowMiss], then: FindPicture, now: FindPicture) -> str:
    """Return the page of a flow's misses.

    Args:
        then: Returns where a picture of the last run that went well lies.
    """
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(_TEMPLATE.read_text(encoding="utf-8"))
    count = len(misses)
    title = (
        f"{count} {'step' if count == 1 else 'steps'} of {flow.name} missed {'its' if count == 1 else 'their'} element"
    )
    views = [
        {
            "title": tell_title(each),
            "line": each.line,
            "name": each.name,
            "selector": each.miss.selector,
            "proposal": each.proposal,
            "why_none": tell_why_none(each),
            "differences": [tell_difference(one) for one in each.miss.differences],
            "shots": _list_shots(each, then, now),
        }
        for each in misses
    ]
    first = misses[0]
    return template.render(title=title, flow=str(flow), views=views, good_run=first.miss.run_id, run_id=first.run_id)


def _list_shots(each: FlowMiss, then: FindPicture, now: FindPicture) -> list[Shot]:
    miss = each.miss
    shots = [_take(miss.was, "Then: the last run that went well", miss.selector, then, is_then=True)]
    names = ["Now"] if len(miss.now) == 1 else [f"Now: candidate {at}" for at in range(1, len(miss.now) + 1)]
    shots += [
        _take(thing, name, thing.line or "nothing names it alone", now, is_then=False)
        for name, thing in zip(names, miss.now, strict=True)
    ]
    return shots


def _take(thing: SeenThing, title: str, words: str, find: FindPicture, *, is_then: bool) -> Shot:
    label = f"{'Then' if is_then else 'Now'}: {thing.role} “{thing.name}” on its page, marked with a frame"
    facts = tuple(list_facts(thing))
    content = _read(find(thing.picture)) if thing.picture else b""
    try:
        width, height = Image.open(io.BytesIO(content)).size
    except (UnidentifiedImageError, OSError, ValueError):
        return Shot(title, words, label, facts, is_then)
    data = base64.b64encode(content).decode("ascii")
    return Shot(title, words, label, facts, is_then, data, width, height, thing.mark if len(thing.mark) == 4 else ())


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes() if path.stat().st_size <= _LARGEST else b""
    except OSError:
        return b""
