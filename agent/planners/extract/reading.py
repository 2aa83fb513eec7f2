"""What a page or window is asked, by ordinary steps: its outline, its tables, its links, what it calls a value, data for programs."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast
from urllib.parse import urljoin

from agent.planners.extract.data import parse_definitions
from agent.planners.extract.seen_pages import DATA, SeenLine, SeenPage, SeenTable, read_lines
from agent.planners.hands import PlannerHands, find_error, raise_first
from core.base.matching import fold_space
from core.goals.meta_goals import Goal
from core.results.provenance import Origin

WHOLE = 200_000
"""Tokens of an outline that nothing is folded in."""

_DEFINITIONS = "css=dl"
_MOST_PARTS = 20  # of lists of definitions, and of scripts with data
_MOST_ASKED = 400  # links of one name
_AT_ONCE = 50
_RESTING = Goal("browser", "wait", {"load_state": "networkidle", "timeout": 3})
_ENDED = frozenset({"target_missing", "target_disabled", "target_hidden"})


class PageReader:
    """Looks at a page or window."""

    def __init__(self, hands: PlannerHands, window: str = "", scope: str = "") -> None:
        """Look by hands.

        Args:
            window: Title of the window; empty for the open page, which can be asked more.
            scope: Selector of the part to look at; empty for all of it.
        """
        self._hands = hands
        self._window = window
        self._scope = scope

    async def open(self, url: str) -> None:
        """Open a page, and wait a while for it to come to rest; one that never does is read as it is then."""
        raise_first(await self._hands.run((Goal("browser", "navigate", {"url": url}),)))
        await self._hands.run((_RESTING,))

    async def look(self) -> SeenPage:
        """Return what there is."""
        part = {"scope": self._scope} if self._scope else {}
        if self._window:
            sight = await self._hands.look(window=self._window, max_tokens=WHOLE, **part)
            origin = Origin("window", sight.source or self._window)
            return SeenPage(origin=origin, lines=read_lines(sight.lines), is_folded=sight.is_folded)
        sight = await self._hands.look(max_tokens=WHOLE, **part)
        lines = read_lines(sight.lines)
        tables = await self._read_tables(lines)
        return SeenPage(
            origin=Origin("page", sight.source),
            lines=lines,
            tables=tables,
            addresses=await self._read_addresses(lines, sight.source),
            definitions=tuple([parse_definitions(html, lines) for html in await self._read_parts(_DEFINITIONS)]),
            data=() if self._scope else tuple(await self._read_data()),
            language=await self._read_language(),
            is_folded=sight.is_folded or any(each.is_cut for each in tables),
        )

    async def read_text(self, selector: str, *, within: bool = False) -> str | None:
        """Return all that is written in what a selector finds on a page; None where it finds nothing.

        Args:
            within: Whether only in the part that is looked at.
        """
        if self._window:
            return None
        selector = f"{selector} in ({self._scope})" if within and self._scope else selector
        output = await self._ask({"target": "text", "selector": selector})
        return None if output is None else str(output["text"])

    async def press_next(self, selector: str) -> bool:
        """Press what leads to the next page; tell whether it could be."""
        goal = Goal("browser", "click", {"selector": selector})
        if self._window:
            goal = Goal("desktop", "click", {"target": selector, "window": self._window})
        elif not await self._count(selector):
            return False
        result = await self._hands.run((goal,))
        error = find_error(result)
        if error and error.code in _ENDED:
            return False
        raise_first(result)
        if not self._window:
            await self._hands.run((_RESTING,))
        return True

    async def _read_tables(self, lines: Sequence[SeenLine]) -> tuple[SeenTable, ...]:
        found = [line for line in lines if line.kind == "table" and line.selector]
        outputs = await self._ask_all([{"target": "table", "selector": line.selector} for line in found])
        return tuple(_make_table(line, output) for line, output in zip(found, outputs, strict=True) if output)

    async def _read_addresses(self, lines: Sequence[SeenLine], base: str) -> dict[int, str]:
        output = await self._ask({"target": "links"})
        by_name: dict[str, set[str]] = {}
        for link in output["value"] if output else ():
            by_name.setdefault(fold_space(str(link["text"])), set()).add(str(link["url"]))
        links = [line for line in lines if line.kind == "link" and line.selector]
        known = {line.number: next(iter(by_name[line.said])) for line in links if len(by_name.get(line.said, ())) == 1}
        asked = [line for line in links if line.number not in known][:_MOST_ASKED]
        href = {"target": "attribute", "attribute": "href"}
        outputs = await self._ask_all([{**href, "selector": each.selector} for each in asked])
        told = ((line, output.get("value")) for line, output in zip(asked, outputs, strict=True) if output)
        return known | {line.number: urljoin(base, str(value)) for line, value in told if value}

    async def _read_data(self) -> Iterator[Mapping[str, Any]]:
        texts = await self._read_parts(DATA)
        return (thing for text in texts for thing in _parse_data(text))

    async def _read_parts(self, selector: str) -> list[str]:
        parts = [f"{selector} >> nth={place}" for place in range(min(await self._count(selector), _MOST_PARTS))]
        outputs = await self._ask_all([{"target": "html", "selector": each} for each in parts])
        return [str(each["text"]) for each in outputs if each]

    async def _read_language(self) -> str:
        output = await self._ask({"target": "attribute", "selector": "css=:root", "attribute": "lang"})
        return str(output.get("value") or "") if output else ""

    async def _count(self, selector: str) -> int:
        output = await self._ask({"target": "count", "selector": selector})
        return int(output["value"]) if output else 0

    async def _ask(self, params: Mapping[str, Any]) -> Mapping[str, Any] | None:
        return (await self._ask_all([params]))[0]

    async def _ask_all(self, asked: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any] | None]:
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
    return SeenTable(line=line, headers=headers, rows=rows, is_cut=bool(output["truncated"]))


def _parse_data(text: str) -> Iterator[Mapping[str, Any]]:
    inside = text.partition(">")[2].rpartition("<")[0]
    try:
        parsed = json.loads(inside)
    except (ValueError, RecursionError):
        return
    for each in parsed if isinstance(parsed, list) else [parsed]:
        if isinstance(each, Mapping):
            thing = cast("Mapping[str, Any]", each)
            graph = thing.get("@graph")
            yield from (part for part in graph if isinstance(part, Mapping)) if isinstance(graph, list) else [thing]
