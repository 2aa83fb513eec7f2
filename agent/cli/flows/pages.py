"""The page that shows misses beside pictures of then and now: one file that needs nothing else, and can't change anything."""

import base64
import io
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment
from PIL import Image, UnidentifiedImageError

from agent.reports.misses import FlowMiss, list_facts
from core.outlines.recognising import Miss, tell_difference
from core.outlines.sightings import SeenThing

_TEMPLATE = Path(__file__).with_name("mend_page.html")
_LARGEST = 4 * 1024 * 1024

FindPicture = Callable[[str], Path]


def write_page(flow: Path, misses: Sequence[FlowMiss], then: FindPicture, now: FindPicture) -> str:
    """Return the page of a flow's misses.

    Args:
        then: Returns where a picture of the last run that went well lies.
    """
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(_TEMPLATE.read_text(encoding="utf-8"))
    steps, whose = ("step", "its") if len(misses) == 1 else ("steps", "their")
    return template.render(
        title=f"{len(misses)} {steps} of {flow.name} missed {whose} element",
        flow=str(flow),
        misses=misses,
        tell_difference=tell_difference,
        list_shots=lambda miss: _list_shots(miss, then, now),
    )


def _list_shots(miss: Miss, then: FindPicture, now: FindPicture) -> Iterator[dict[str, Any]]:
    """Yield the picture of each thing with what is said of it."""
    yield _take(miss.was, "Then: the last run that went well", miss.selector, then) | {"is_then": True}
    for number, thing in enumerate(miss.now, 1):
        title = "Now" if len(miss.now) == 1 else f"Now: candidate {number}"
        yield _take(thing, title, thing.line or "nothing names it alone", now)


def _take(thing: SeenThing, title: str, words: str, find: FindPicture) -> dict[str, Any]:
    label = f"{title.partition(':')[0]}: {thing.role} “{thing.name}” on its page, marked with a frame"
    shot = {"title": title, "words": words, "label": label, "facts": tuple(list_facts(thing))}
    content = _read(find(thing.picture)) if thing.picture else b""
    try:
        width, height = Image.open(io.BytesIO(content)).size
    except (UnidentifiedImageError, OSError, ValueError):
        return shot
    mark = thing.mark if len(thing.mark) == 4 else ()
    return shot | {"data": base64.b64encode(content).decode("ascii"), "width": width, "height": height, "mark": mark}


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes() if path.stat().st_size <= _LARGEST else b""
    except OSError:
        return b""
