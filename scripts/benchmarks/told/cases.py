"""What the truth benchmark does on which page; it lies in `fixtures/truth`, a fifth of it closed: counted, and looked at by nobody."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any
from urllib.parse import urlencode

from ruamel.yaml import YAML

from fixtures.site_handlers.truth_site import FILES

OPEN = FILES / "cases.yaml"
CLOSED = FILES / "closed" / "cases.yaml"
_BEGINS_AT = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Something done on a page.

    Attributes:
        family: What it is counted with.
        name: Of the case.
        address: Of the page, below the site's root, with its query.
        goals: What is done, after the page was opened.
        want: What the far end knows where all is so as told.
        tells: What has to be said where it isn't; a pattern. Where empty, it has to be told as failed or unverified.
        honest: Whether the page keeps what is done, so that it should be done.
        closed: Whether it is only counted.
    """

    family: str
    name: str
    address: str
    goals: tuple[Mapping[str, Any], ...]
    want: str
    tells: str = ""
    honest: bool = False
    closed: bool = False


def list_cases() -> list[Case]:
    """Return all cases, the closed ones last."""
    read = YAML(typ="safe")
    open_cases, closed = read.load(OPEN), read.load(CLOSED)
    controls = open_cases["controls"]
    return [*_list(open_cases, controls, closed=False), *_list(closed, controls, closed=True)]


def _list(said: Mapping[str, Any], controls: Mapping[str, Any], *, closed: bool) -> Iterator[Case]:
    turns = count()
    for family, control, query in (*_list_ways(said), *_list_noises(said)):
        parts = [query.get("noise", query["way"]), control, query["ms"], query["begins"]]
        name = "-".join(str(part).replace(" ", "-") for part in parts if part)
        watch = "ever" if next(turns) % 2 else "leave"
        for keeps, end in (("", "taken back"), ("1", "kept")):
            yield Case(
                family=family,
                name=f"{name}, {end}",
                address=f"page?{urlencode({'control': control, 'watch': watch, 'keeps': keeps} | query)}",
                goals=tuple(controls[control]["goals"]),
                want=controls[control]["want"],
                honest=bool(keeps),
                closed=closed,
            )
    for family, pages in said["pages"].items():
        yield from (_read_page(family, name, page, closed=closed) for name, page in pages.items())


def _list_ways(said: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield family, control and query of each way in which a page goes on working."""
    for family, ways in said["ways"].items():
        for way, rows in ways.items():
            for row in rows:
                yield family, row[0], {"way": way, "ms": row[1], "begins": "".join(row[_BEGINS_AT:])}


def _list_noises(said: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    noise = said["noise"]
    way, ms = noise["way"]
    for number, kind in enumerate(noise["kinds"]):
        control = noise["controls"][number % len(noise["controls"])]
        yield "noise", control, {"way": way, "ms": ms, "begins": "", "noise": kind}


def _read_page(family: str, name: str, page: Mapping[str, Any], *, closed: bool) -> Case:
    place = page["page"] if closed and "/" in page["page"] else f"pages/{page['page']}"
    return Case(
        family=family,
        name=name,
        address=f"{place}.html?{page['query']}",
        goals=tuple(page["goals"]),
        want=page["want"],
        tells=page.get("tells", ""),
        honest=page.get("honest", False),
        closed=closed,
    )
