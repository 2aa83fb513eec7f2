"""What a page or window is asked, by ordinary steps: its outline, its tables, its links, what it calls a value, data for programs."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast
from urllib.parse import urljoin

from agent.planners.extract.definitions import parse_definitions
from agent.planners.extract.seen_lines import SeenLine, read_lines
from agent.planners.extract.seen_pages import DATA, Definition, SeenPage, SeenTable
from agent.planners.hands import PlannerHands, find_error, raise_first
from core.base.matching import fold_space
from core.goals.meta_goals import Goal
from core.results.provenance import Origin

WHOLE = 200_000
"""Tokens of an outline that nothing is folded in."""

_DEFINITIONS = "css=dl"
_MOST_DATA = 20
_MOST_LISTS = 20
_MOST_ASKED = 400  # links of one name
_AT_ONCE = 50
_RESTING = Goal("browser", "wait", {"load_state": "networkidle", "timeout": 3})
_ENDED = frozenset({"target_missing", "target_disabled", "target_hidden"})


class PageReader:
    """Looks at a page or window."""

    def __init__(self, hands: PlannerHands, window: str = "", scope: str = "") -> None:
        """Look by hands.

        Args:
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
        raise_first(await self._hands.run((Goal("browser", "navigate", {"url": url}),)))
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
            addresses=await self._read_addresses(lines, sight.source),
            definitions=await self._read_definitions(lines),
            data=() if self._scope else await self._read_data(),
            language=await self._read_language(),
            is_folded=sight.is_folded,
        )

    async def read_value(self, label: str) -> str | None:
        """Return what a page has beside a label, by its own markup; None where that can't be said."""
        if self._window:
            return None
        quoted = label.replace("\\", "\\\\").replace('"', '\\"')
        output = await self._ask({"target": "text", "selector": self._within(f'value "{quoted}"')})
        return None if output is None else str(output["text"])

    async def read_text(self, selector: str) -> str | None:
        """Return all that is written in what a selector finds; None where it finds nothing."""
        if self._window:
            return None
        output = await self._ask({"target": "text", "selector": selector})
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
        raise_first(result)
        if self.is_page:
            await self._hands.run((_RESTING,))
        return True

    def _within(self, selector: str) -> str:
        return f"{selector} in ({self._scope})" if self._scope else selector

    async def _read_tables(self, lines: Sequence[SeenLine]) -> tuple[SeenTable, ...]:
        found = [line for line in lines if line.kind == "table" and line.selector]
        outputs = await self._ask_all([{"target": "table", "selector": line.selector} for line in found])
        return tuple(_make_table(line, output) for line, output in zip(found, outputs, strict=True) if output)

    async def _read_addresses(self, lines: Sequence[SeenLine], base: str) -> dict[int, str]:
        """Return where links lead: by their names, and where several have one name by asking each."""
        output = await self._ask({"target": "links"})
        by_name: dict[str, set[str]] = {}
        for link in output["value"] if output else ():
            by_name.setdefault(fold_space(str(link["text"])), set()).add(str(link["url"]))
        links = [line for line in lines if line.kind == "link" and line.selector]
        known = {line.number: next(iter(by_name[line.said])) for line in links if len(by_name.get(line.said, ())) == 1}
        asked = [line for line in links if line.number not in known][:_MOST_ASKED]
        outputs = await self._ask_all(
            [{"target": "attribute", "attribute": "href", "selector": each.selector} for each in asked]
        )
        hrefs = ((line.number, told.get("value") if told else None) for line, told in zip(asked, outputs, strict=True))
        return known | {number: urljoin(base, str(href)) for number, href in hrefs if href}

    async def _read_definitions(self, lines: Sequence[SeenLine]) -> tuple[tuple[Definition, ...], ...]:
        lists = [f"{_DEFINITIONS} >> nth={place}" for place in range(min(await self._count(_DEFINITIONS), _MOST_LISTS))]
        outputs = await self._ask_all([{"target": "html", "selector": each} for each in lists])
        return tuple(parse_definitions(str(each["text"]), lines) for each in outputs if each)

    async def _read_data(self) -> tuple[Mapping[str, Any], ...]:
        """Return what the page says of itself for programs (JSON-LD); what can't be read is left out."""
        found: list[Mapping[str, Any]] = []
        for place in range(min(await self._count(DATA), _MOST_DATA)):
            output = await self._ask({"target": "html", "selector": f"{DATA} >> nth={place}"})
            found += _parse_data(str(output["text"])) if output else []
        return tuple(found)

    async def _read_language(self) -> str:
        output = await self._ask({"target": "attribute", "selector": "css=:root", "attribute": "lang"})
        return str(output.get("value") or "") if output else ""

    async def _count(self, selector: str) -> int:
        output = await self._ask({"target": "count", "selector": selector})
        return int(output["value"]) if output else 0

    async def _ask(self, params: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return what is read; None where there is nothing like that."""
        return (await self._ask_all([params]))[0]

    async def _ask_all(self, asked: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any] | None]:
        """Return what is read for each, in order; None where there is nothing like that."""
        outputs: list[Mapping[str, Any] | None] = []
        for start in range(0, len(asked), _AT_ONCE):
            goals = tuple(Goal("browser", "read", dict(params)) for params in asked[start : start + _AT_ONCE])
            logs = (await self._hands.run(goals)).step_logs
            outputs += [log.result.output if log.result.status == "ok" else None for log in logs]
            outputs += [None] * (len(goals) - len(logs))
        return outputs


def _make_table(line: SeenLine, output: Mapping[str, Any]) -> SeenTable:
    headers = tuple(map(str, output["headers"]))
    rows = tuple(tuple(str(row.get(name, "")) for name in headers) for row in output["value"])
    return SeenTable(selector=line.selector, headers=headers, rows=rows, is_cut=bool(output["truncated"]), line=line)


def _parse_data(text: str) -> list[Mapping[str, Any]]:
    """Return the things that a script for programs describes."""
    inside = text.partition(">")[2].rpartition("<")[0]
    try:
        parsed = json.loads(inside)
    except (ValueError, RecursionError):
        return []
    found: list[Mapping[str, Any]] = []
    for each in parsed if isinstance(parsed, list) else [parsed]:
        if isinstance(each, Mapping):
            thing = cast("Mapping[str, Any]", each)
            graph = thing.get("@graph")
            found += [part for part in graph if isinstance(part, Mapping)] if isinstance(graph, list) else [thing]
    return found
