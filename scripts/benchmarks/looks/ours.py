"""`browser.snapshot` as users get it: a session as the command line has it, one request a look, with the verb's own params.

What is folded is opened as the outline says: by a look with the tokens or at the scope that a fold names, with more tokens where that scope
is folded again; what needs many looks, up to a number of them. Afterwards the selectors of lines, of very many some from all parts of the
page, are counted by `browser.read`, and compared with the elements that the lines' refs stand for.
"""

import re
import tempfile
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from actuators.browser.playwright.finding.locators import build_locator
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.ports.tabs import Tab
from agent.assembly import make_session
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from core.base.errors import InputError
from core.goals.meta_goals import Goal
from core.outlines.items import OutlineLine
from core.selectors.selectors import parse_selector
from core.tools.ports import ActionContext
from scripts.benchmarks.looks.judge import NUMBERS
from scripts.benchmarks.looks.tools import Told

SCOPE = re.compile(r"\(scope: (.+?)\)$")
ROOM = re.compile(r"\(max_tokens: (\d+)\)$")
CLOSED = re.compile(r"^\s*(\S.*?) # .*\bfolded$")
LEAST_TOKENS = 2000
MOST_TOKENS = 200_000
MOST_LOOKS = 24
MOST_TRIED = 200
COUNTED_AT_ONCE = 50
GONE_MS = 1000
_NUMBER_OF = "(element) => window.benchNumbers.get(element) ?? -1"


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
        opened, looks = await self._open_folds()
        lines = opened | shown
        await self._pages[-1].evaluate(NUMBERS, arg=False)
        numbers = {ref: await self._find_number(ref) for ref in lines}
        tried = spread(lines)
        wrong = await self._find_wrong(tried, numbers)
        told = frozenset(number for ref, number in numbers.items() if ref in shown)
        return Told(told - {-1}, frozenset(numbers.values()) - told - {-1}, looks, tuple(wrong), len(lines), len(tried))

    async def _open_folds(self) -> tuple[dict[str, OutlineLine], int]:
        """Return the lines of all folds, and how many looks it took."""
        lines: dict[str, OutlineLine] = {}
        waiting = list_folds(self._last["text"], Fold("", 0))
        asked: set[Fold] = set()
        while waiting and len(asked) < MOST_LOOKS:
            waiting.sort(key=lambda fold: fold.scope != "")  # the widest first
            fold = waiting.pop(0)
            if fold not in asked:
                asked.add(fold)
                output = await self._act("snapshot", **fold.params)
                lines |= list_lines(output)
                waiting += list_folds(output["text"], fold)
        return lines, len(asked)

    async def _find_number(self, ref: str) -> int:
        """Return the number of what a ref names; -1 where nothing has it any more."""
        locator = build_locator(parse_selector(f"ref={ref}"), self._pages[-1])
        try:
            return await locator.evaluate(_NUMBER_OF, timeout=GONE_MS)
        except PlaywrightError:
            return -1

    async def _locate(self, selector: str) -> int | None:
        """Return the number of what a selector names; None where that is not one element."""
        locator = build_locator(parse_selector(selector), self._pages[-1])
        # Asked for all at once, Playwright looks in the page's own world, where our refs are unknown.
        return await locator.evaluate(_NUMBER_OF) if await locator.count() == 1 else None

    async def _find_wrong(self, lines: Mapping[str, OutlineLine], numbers: Mapping[str, int]) -> list[str]:
        counts = await self._count([line.selector for line in lines.values()])
        wrong: list[str] = []
        for (ref, line), count in zip(lines.items(), counts, strict=True):
            if count != 1:
                wrong.append(f"{line.selector}: {count} elements")
            elif await self._locate(line.selector) != numbers[ref]:
                wrong.append(f"{line.selector}: another element than ref={ref}")
            elif read_meaning(line.text.strip()) != read_meaning(line.selector):
                wrong.append(f"{line.text.strip()}: as a whole it is another selector than {line.selector}")
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


def spread(lines: Mapping[str, OutlineLine]) -> dict[str, OutlineLine]:
    """Return some of the lines, from all parts of the page; all where there are few."""
    step = max(1, -(-len(lines) // MOST_TRIED))
    return dict(list(lines.items())[::step])


def read_meaning(text: str) -> tuple[object, ...] | None:
    """Return what a text means as a selector, however it is written; None where it is none."""
    try:
        spec = parse_selector(text)
    except InputError:
        return None
    return (spec.frames, spec.core)


def list_lines(output: Mapping[str, Any]) -> dict[str, OutlineLine]:
    """Return the lines that are selectors, by their refs; texts and headings can't be acted on by what they say.

    Args:
        output: What `browser.snapshot` gave.
    """
    lines = [OutlineLine(each["text"], each["ref"], each["selector"]) for each in output["lines"]]
    return {line.ref: line for line in lines if line.selector}


@dataclass(frozen=True, slots=True)
class Fold:
    """What opens a fold.

    Attributes:
        scope: Selector of the part that is looked at; empty for the page.
        tokens: Most tokens; 0 for as many as by itself.
    """

    scope: str
    tokens: int

    @property
    def params(self) -> dict[str, Any]:
        """The verb's params."""
        return {**({"scope": self.scope} if self.scope else {}), **({"max_tokens": self.tokens} if self.tokens else {})}


def list_folds(text: str, looked_at: Fold) -> list[Fold]:
    """Return what opens the folds of an outline, in its order.

    A fold names a scope or how many tokens the same look would need. What folds its own scope again is given more room.

    Args:
        text: The outline.
        looked_at: What it was asked for.
    """
    folds: list[Fold] = []
    for line in text.splitlines():
        if room := ROOM.search(line):
            folds.append(Fold(looked_at.scope, min(int(room[1]), MOST_TOKENS)))
        elif scope := SCOPE.search(line) or CLOSED.match(line):
            more = min(max(looked_at.tokens, LEAST_TOKENS) * 4, MOST_TOKENS)
            folds.append(Fold(scope[1], more if scope[1] == looked_at.scope else 0))
    return list(dict.fromkeys(folds))


@contextmanager
def _notice_pages(pages: list[Page]) -> Generator[None]:
    """Keep the pages that sessions open meanwhile, which no verb hands out."""
    original = PlaywrightSession.open_tab

    async def open_tab(self: PlaywrightSession, context: ActionContext) -> Tab[Page]:
        tab = await original(self, context)
        pages.append(tab.page)
        return tab

    PlaywrightSession.open_tab = open_tab
    try:
        yield
    finally:
        PlaywrightSession.open_tab = original
