"""`browser.snapshot` as users get it: a session as the command line has it, one request a look, with the verb's own params.

What is folded is opened as the outline says: by a look at the scope that a fold names, or with more tokens where that scope is folded
again. Afterwards each line's selector is counted by `browser.read`, and compared with the element that the line's ref stands for.
"""

import re
import tempfile
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any, Self

from playwright.async_api import Page

from actuators.browser.playwright.finding.locators import build_locator
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from agent.assembly import make_session
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from core.goals.meta_goals import Goal
from core.selectors.selectors import parse_selector
from scripts.benchmarks.looks.judge import NUMBERS
from scripts.benchmarks.looks.tools import Told

REF = re.compile(r"\[ref=(\w+)\]")
SCOPE = re.compile(r"\(scope: (.+?)\)$")
CLOSED = re.compile(r"^\s*(\S.*?) # .*\bfolded$")
MOST_TOKENS = 200_000
MOST_LOOKS = 400
COUNTED_AT_ONCE = 100
_NUMBERS_OF = "(elements) => elements.map((element) => window.benchNumbers.get(element) ?? -1)"


class Surehand:
    """Our own session."""

    def __init__(self, executable: str, hosts: Sequence[str]) -> None:
        """Look through a browser of its own.

        Args:
            executable: The browser.
            hosts: Where the pages come from.
        """
        self._settings = Settings(browser_path=executable, inner_hosts=list(hosts), log_level="off")
        self._closing = AsyncExitStack()
        self._session: AgentSession | None = None
        self._pages: list[Page] = []
        self._last: Mapping[str, Any] = {}

    async def __aenter__(self) -> Self:
        """Put the session together."""
        folder = self._closing.enter_context(tempfile.TemporaryDirectory(prefix="surehand-bench-"))
        self._closing.enter_context(_notice_pages(self._pages))
        self._session = await self._closing.enter_async_context(make_session(self._settings, Path(folder)))
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close session and browser."""
        await self._closing.aclose()

    async def open(self, addresses: Sequence[str]) -> None:
        """Go to the addresses, one after another."""
        for address in addresses:
            await self._act("navigate", url=address)

    async def look(self) -> str:
        """Return the outline that the verb gives without any params."""
        self._last = await self._act("snapshot")
        return self._last["text"]

    async def identify(self) -> Told:
        """Open all folds, and say which elements the lines name, and which lines name another, none or several."""
        shown = list_lines(self._last)
        folded = {ref: line for ref, line in (await self._open_folds()).items() if ref not in shown}
        lines = shown | folded
        await self._pages[-1].evaluate(NUMBERS, arg=False)
        numbers = {ref: await self._locate(f"ref={ref}" if ref.isalnum() else ref) for ref in lines}
        wrong = await self._find_wrong(lines, numbers)
        single = {ref: found[0] for ref, found in numbers.items() if len(found) == 1}
        told = frozenset(number for ref, number in single.items() if ref in shown)
        return Told(told, frozenset(single.values()) - told, tuple(wrong), len(lines))

    async def _open_folds(self) -> dict[str, str]:
        lines: dict[str, str] = {}
        waiting = [(scope, 0) for scope in list_scopes(self._last["text"])]
        asked: set[tuple[str, int]] = set()
        while waiting and len(asked) < MOST_LOOKS:
            scope, tokens = waiting.pop(0)
            if (scope, tokens) in asked:
                continue
            asked.add((scope, tokens))
            output = await self._act("snapshot", scope=scope, **({"max_tokens": tokens} if tokens else {}))
            lines |= list_lines(output)
            for inner in list_scopes(output["text"]):
                more = min(max(tokens, 2000) * 4, MOST_TOKENS) if inner == scope else 0
                waiting.append((inner, more))
        return lines

    async def _locate(self, selector: str) -> list[int]:
        return await build_locator(parse_selector(selector), self._pages[-1]).evaluate_all(_NUMBERS_OF)

    async def _find_wrong(self, lines: Mapping[str, str], numbers: Mapping[str, list[int]]) -> list[str]:
        selectors = {ref: selector for ref, selector in lines.items() if selector}
        counts = await self._count(list(selectors.values()))
        wrong: list[str] = []
        for (ref, selector), count in zip(selectors.items(), counts, strict=True):
            found = await self._locate(selector) if count == 1 else []
            if count != 1:
                wrong.append(f"{selector}: {count} elements")
            elif found != numbers[ref]:
                wrong.append(f"{selector}: another element than ref={ref}")
        return wrong

    async def _count(self, selectors: Sequence[str]) -> list[int]:
        found: list[int] = []
        for start in range(0, len(selectors), COUNTED_AT_ONCE):
            part = selectors[start : start + COUNTED_AT_ONCE]
            goals = [("read", {"target": "count", "selector": selector}) for selector in part]
            found += [output["value"] for output in await self._run(goals)]
        return found

    async def _act(self, verb: str, **params: Any) -> Mapping[str, Any]:
        return (await self._run([(verb, params)]))[0]

    async def _run(self, steps: Iterable[tuple[str, dict[str, Any]]]) -> list[Mapping[str, Any]]:
        assert self._session
        goals = tuple(
            Goal("browser", verb, params, scope=f"after:g{place - 1}" if place else "root")
            for place, (verb, params) in enumerate(steps)
        )
        result = await self._session.run(Request(goals=goals))
        if result.outcome != "success":
            raise RuntimeError(f"{result.reply} {result.errors}")
        return [log.result.output for log in result.step_logs]


def list_lines(output: Mapping[str, Any]) -> dict[str, str]:
    """Return the selectors of an outline's lines by their refs; empty ones for a line that gives a ref alone.

    Args:
        output: What `browser.snapshot` gave.
    """
    if "lines" in output:
        return {each["ref"]: each["selector"] for each in output["lines"] if each["ref"]}
    return dict.fromkeys(REF.findall(output["text"]), "")


def list_scopes(text: str) -> list[str]:
    """Return the scopes that open the folds of an outline, in its order.

    Args:
        text: The outline.
    """
    found = [SCOPE.search(line) or CLOSED.match(line) for line in text.splitlines()]
    return list(dict.fromkeys(match[1] for match in found if match))


@contextmanager
def _notice_pages(pages: list[Page]) -> Generator[None]:
    """Keep the pages that sessions open meanwhile, which no verb hands out."""
    original = PlaywrightSession.open_tab

    async def open_tab(session: PlaywrightSession, *given: Any) -> Any:
        tab = await original(session, *given)
        pages.append(tab.page)
        return tab

    PlaywrightSession.open_tab = open_tab
    try:
        yield
    finally:
        PlaywrightSession.open_tab = original
