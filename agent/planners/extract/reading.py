"""What a page or window is asked, by ordinary steps: its outline, its tables, its links, what it calls a value, data for programs."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from agent.planners.extract.seen_lines import SeenLine, read_lines
from agent.planners.hands import PlannerHands, find_error
from core.base.errors import ActionError
from core.goals.meta_goals import Goal
from core.results.provenance import Origin
from core.results.tool_results import RunResult

WHOLE = 200_000
"""Tokens of an outline that nothing is folded in."""

DATA = 'css=script[type="application/ld+json"]'
_MOST_DATA = 20
_RESTING = Goal("browser", "wait", {"load_state": "networkidle", "timeout": 3})
_ENDED = frozenset({"target_missing", "target_disabled", "target_hidden"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenTable:
    """A table.

    Attributes:
        selector: What finds it.
        headers: What its columns are headed with.
        rows: Its cells, as texts.
        is_cut: Whether it has more rows than these.
        line: Where it stands in the outline; None where it isn't told there.
    """

    selector: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    is_cut: bool = False
    line: SeenLine | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenLink:
    """A link.

    Attributes:
        text: What it is called.
        url: Where it leads.
    """

    text: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenPage:
    """A page or window as it was at one look.

    Attributes:
        origin: Which one.
        lines: Its outline.
        tables: Its tables.
        links: Its links.
        data: What it carries for programs.
        language: Its language tag; empty if it states none.
        is_folded: Whether there is more than the lines tell.
    """

    origin: Origin
    lines: tuple[SeenLine, ...] = ()
    tables: tuple[SeenTable, ...] = ()
    links: tuple[SeenLink, ...] = ()
    data: tuple[Mapping[str, Any], ...] = ()
    language: str = ""
    is_folded: bool = False


class Reader:
    """Looks at a page or window."""

    def __init__(self, hands: PlannerHands, window: str = "", scope: str = "") -> None:
        """Look by hands.

        Args:
            hands: Carry every step out.
            window: Title of the window; empty for the open page.
            scope: Selector of the part to look at; empty for all of it.
        """
        self._hands = hands
        self._window = window
        self._scope = scope

    @property
    def is_page(self) -> bool:
        """Whether a page is looked at, which can be asked more than a window."""
        return not self._window

    async def open(self, url: str) -> None:
        """Open a page, and wait a while for it to come to rest; one that never does is read as it is then.

        Raises:
            ActionError: If it could not be opened.
        """
        _check(await self._hands.run((Goal("browser", "navigate", {"url": url}),)))
        await self._hands.run((_RESTING,))

    async def look(self) -> SeenPage:
        """Return what there is.

        Raises:
            ActionError: If nothing could be seen.
        """
        part = {"scope": self._scope} if self._scope else {}
        if self._window:
            sight = await self._hands.look(window=self._window, max_tokens=WHOLE, **part)
            lines = read_lines(sight.lines)
            return SeenPage(
                origin=Origin("window", sight.source or self._window), lines=lines, is_folded=sight.is_folded
            )
        sight = await self._hands.look(max_tokens=WHOLE, **part)
        lines = read_lines(sight.lines)
        return SeenPage(
            origin=Origin("page", sight.source),
            lines=lines,
            tables=await self._read_tables(lines),
            links=await self._read_links(),
            data=await self._read_data(),
            language=await self._read_language(),
            is_folded=sight.is_folded,
        )

    async def read_value(self, label: str) -> str | None:
        """Return what a page has beside a label, by its own markup; None where that can't be said."""
        if self._window:
            return None
        quoted = label.replace("\\", "\\\\").replace('"', '\\"')
        output = await self._ask("read", {"target": "text", "selector": self._within(f'value "{quoted}"')})
        return None if output is None else str(output["text"])

    async def read_text(self, selector: str) -> str | None:
        """Return all that is written in what a selector finds; None where it finds nothing."""
        if self._window:
            return None
        output = await self._ask("read", {"target": "text", "selector": selector})
        return None if output is None else str(output["text"])

    async def press_next(self, selector: str) -> bool:
        """Press what leads to the next page; tell whether it could be.

        Raises:
            ActionError: If it is there and could not be pressed.
        """
        domain = "desktop" if self._window else "browser"
        params: dict[str, Any] = (
            {"target": selector, "window": self._window} if self._window else {"selector": selector}
        )
        if self.is_page and not await self._count(selector):
            return False
        result = await self._hands.run((Goal(domain, "click", params),))
        error = find_error(result)
        if error and error.code in _ENDED:
            return False
        _check(result)
        if self.is_page:
            await self._hands.run((_RESTING,))
        return True

    def _within(self, selector: str) -> str:
        return f"{selector} in ({self._scope})" if self._scope else selector

    async def _read_tables(self, lines: Sequence[SeenLine]) -> tuple[SeenTable, ...]:
        tables: list[SeenTable] = []
        for line in lines:
            if line.kind != "table" or not line.selector:
                continue
            output = await self._ask("read", {"target": "table", "selector": line.selector})
            if output is not None:
                tables.append(_make_table(line, output))
        return tuple(tables)

    async def _read_links(self) -> tuple[SeenLink, ...]:
        part = {"selector": self._scope} if self._scope else {}
        output = await self._ask("read", {"target": "links", **part})
        found: Any = output["value"] if output else ()
        return tuple(SeenLink(text=str(each["text"]), url=str(each["url"])) for each in found)

    async def _read_data(self) -> tuple[Mapping[str, Any], ...]:
        """Return what the page says of itself for programs (JSON-LD); what can't be read is left out."""
        found: list[Mapping[str, Any]] = []
        for place in range(min(await self._count(DATA), _MOST_DATA)):
            output = await self._ask("read", {"target": "html", "selector": f"{DATA} >> nth={place}"})
            found += _parse_data(str(output["text"])) if output else []
        return tuple(found)

    async def _read_language(self) -> str:
        output = await self._ask("read", {"target": "attribute", "selector": "css=:root", "attribute": "lang"})
        return str(output.get("value") or "") if output else ""

    async def _count(self, selector: str) -> int:
        output = await self._ask("read", {"target": "count", "selector": selector})
        return int(output["value"]) if output else 0

    async def _ask(self, verb: str, params: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return what an observing step gave; None where there is nothing like that."""
        result = await self._hands.run((Goal("browser", verb, dict(params)),))
        return None if find_error(result) or not result.step_logs else result.step_logs[-1].result.output


def _check(result: RunResult) -> None:
    if error := find_error(result):
        raise ActionError(error.message, code=error.code, hint=error.hint, evidence=error.evidence)


def _make_table(line: SeenLine, output: Mapping[str, Any]) -> SeenTable:
    headers = tuple(map(str, output["headers"]))
    rows = tuple(tuple(str(row.get(name, "")) for name in headers) for row in output["value"])
    return SeenTable(selector=line.selector, headers=headers, rows=rows, is_cut=bool(output["truncated"]), line=line)


def _parse_data(text: str) -> list[Mapping[str, Any]]:
    """Return the things that a script for programs describes."""
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        return []
    found: list[Mapping[str, Any]] = []
    for each in parsed if isinstance(parsed, list) else [parsed]:
        if isinstance(each, Mapping):
            thing = cast("Mapping[str, Any]", each)
            graph = thing.get("@graph")
            found += [part for part in graph if isinstance(part, Mapping)] if isinstance(graph, list) else [thing]
    return found
