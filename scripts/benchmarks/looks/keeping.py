"""Whether an outline keeps its word on a page: each line names exactly what it was made for, now and after the page has made itself anew, and
nothing that a person could act on is left out.

The page is looked at by the real verb, and lines are looked up as every verb does it. Which element that is, and what could be acted on, is said by
the page and by Chromium, and not by the engine.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from actuators.browser.playwright.finding.locators import build_locator
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.verbs.back_end import make_toolsets
from actuators.browser.tools.reading import ReadingTools
from core.base.errors import SurehandError
from core.outlines.items import OutlineLine
from core.selectors.selectors import SelectorSpec, parse_selector
from core.tools.ports import ActionContext
from scripts.benchmarks.looks.judge import Thing, find_missing, judge
from scripts.benchmarks.looks.ours import Fold, list_folds, list_lines, read_meaning

HERE = Path(__file__).parent
IDENTITIES = (HERE / "identities.js").read_text(encoding="utf-8")
RERENDERING = (HERE / "rerendering.js").read_text(encoding="utf-8")
_NUMBERED = "() => (window.lookKeys?.found ?? []).map((each) => window.benchNumbers?.get(each) ?? -1)"
_NUMBERED_INSIDE = """() => { try { return (window.lookKeys?.found ?? []).map((each) => window.top.benchNumbers?.get(each) ?? -1); } catch { return []; } }"""
_UNNUMBER = "() => { for (const each of window.benchElements ?? []) each.removeAttribute('data-bench'); }"
LARGE = 200_000
SMALL = 300
MOST_LOOKS = 60
AT_ONCE = 40
GIVEN_MS = 1500.0
LOOK_S = 20.0


@dataclass(slots=True)
class Verdict:
    """How an outline has kept its word on a page.

    Attributes:
        page: Which one.
        lines: How many lines were looked up.
        things: How many things a person could act on.
        looks: How many looks it took.
        wrong: Lines that name another element, none or several, or that can't be pasted.
        missing: Things that no line and no fold leads to.
        lost: Lines that name something else once the page has made itself anew.
        refs: How many lines name what they stand for by a ref alone.
    """

    page: str
    lines: int = 0
    things: int = 0
    looks: int = 0
    wrong: list[str] = field(default_factory=list[str])
    missing: list[str] = field(default_factory=list[str])
    lost: list[str] = field(default_factory=list[str])
    refs: int = 0

    @property
    def faults(self) -> list[str]:
        """All that is not as it was said."""
        return [
            f"{word}: {each}"
            for word, found in (("wrong", self.wrong), ("missing", self.missing), ("lost", self.lost))
            for each in found
        ]


class Keeper:
    """Holds outlines to their word on the pages of one session."""

    def __init__(self, session: PlaywrightSession) -> None:
        """Take a session.

        Args:
            session: Whose current page is looked at.
        """
        reading = make_toolsets(session)[ReadingTools]
        assert isinstance(reading, ReadingTools)
        self._session, self._reading = session, reading
        self._context = ActionContext("g0_look_1", timeout_s=LOOK_S)
        self._looks = 0

    async def check(self, name: str, small: int = SMALL) -> Verdict:
        """Return how the outline of the current page keeps its word.

        Args:
            name: What the page is called.
            small: Most tokens of the outline of which all folds are opened.
        """
        page = await self._session.open_page(self._context)
        self._looks = 0
        whole = list_lines(await self.look(max_tokens=LARGE))
        unfolded = await self.open_folds(small)
        verdict = Verdict(name, looks=self._looks)
        keys = await self._check_lines(page, whole | unfolded, verdict)
        judgement = await judge(page)
        numbers = await self._read_numbers(page)
        verdict.things = len(judgement.things)
        for lines, way in ((whole, "in one outline"), (unfolded, f"in outlines of {small} tokens, with all folds open")):
            told = [numbers[key] for ref in lines if (key := keys.get(ref)) in numbers]
            verdict.missing += [f"{thing} {way}" for thing in find_missing(judgement, told)]
        await page.evaluate(_UNNUMBER)
        await self._make_anew(page)
        verdict.lost = await self._find_lost(page, whole | unfolded, keys)
        return verdict

    async def look(self, **params: Any) -> Mapping[str, Any]:
        """Return what the verb gives."""
        self._looks += 1
        asked = {"max_tokens": 2000, "since": False, **params}
        return (await self._reading.snapshot(self._context, **asked)).output

    async def open_folds(self, small: int) -> dict[str, OutlineLine]:
        """Return the lines of an outline without much room, and of all its folds."""
        output = await self.look(max_tokens=small)
        first = Fold("", small)
        lines, waiting, asked = list_lines(output), list_folds(output["text"], first), {first}
        while waiting and len(asked) < MOST_LOOKS:
            fold = waiting.pop(0)
            if fold in asked:
                continue
            asked.add(fold)
            try:
                output = await self.look(**fold.params)
            except SurehandError:
                continue  # what is behind it is missing then
            lines |= list_lines(output)
            waiting += list_folds(output["text"], fold)
        return lines

    async def _check_lines(self, page: Page, lines: Mapping[str, OutlineLine], verdict: Verdict) -> dict[str, str]:
        """Return the keys of the elements that lines stand for, by their refs; and note what is wrong."""
        found = await self._identify_all(page, [(line.selector, line.ref) for line in lines.values()])
        keys: dict[str, str] = {}
        for line, (named, meant) in zip(lines.values(), found, strict=True):
            verdict.lines += 1
            verdict.refs += line.selector.endswith(f"ref={line.ref}")
            keys[line.ref] = meant
            if not (named == meant and ":" in named):
                verdict.wrong.append(f"{line.text.strip()}: {named}, and ref={line.ref} is {meant}")
            elif read_meaning(line.text.strip()) != read_meaning(line.selector):
                verdict.wrong.append(f"{line.text.strip()}: as a whole it is another selector than {line.selector}")
        return keys

    async def _identify_all(self, page: Page, asked: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        done: list[tuple[str, str]] = []
        for start in range(0, len(asked), AT_ONCE):
            part = asked[start : start + AT_ONCE]
            done += await asyncio.gather(*(_identify_both(page, selector, ref) for selector, ref in part))
        return done

    async def _read_numbers(self, page: Page) -> dict[str, int]:
        """Return the judge's numbers of all elements that have keys."""
        numbers: dict[str, int] = {}
        for frame in page.frames:
            with suppress(PlaywrightError):
                own = await frame.evaluate("() => window.lookKeys?.document ?? ''")
                script = _NUMBERED if frame == page.main_frame else _NUMBERED_INSIDE
                for place, number in enumerate(await frame.evaluate(script)):
                    numbers[f"{own}:{place}"] = number
        return numbers

    async def _make_anew(self, page: Page) -> None:
        for frame in page.frames:
            with suppress(PlaywrightError):
                await frame.evaluate(RERENDERING)

    async def _find_lost(self, page: Page, lines: Mapping[str, OutlineLine], keys: Mapping[str, str]) -> list[str]:
        lasting = [line for line in lines.values() if not line.selector.endswith(f"ref={line.ref}")]
        lost: list[str] = []
        for start in range(0, len(lasting), AT_ONCE):
            part = lasting[start : start + AT_ONCE]
            named = await asyncio.gather(*(_identify(page, parse_selector(line.selector)) for line in part))
            lost += [
                f"{line.text.strip()}: {key}, was {keys[line.ref]}"
                for line, key in zip(part, named, strict=True)
                if key != keys[line.ref] and ":" in keys[line.ref]
            ]
        return lost


async def _identify_both(page: Page, selector: str, ref: str) -> tuple[str, str]:
    try:
        spec = parse_selector(selector)
        meant = parse_selector("".join(f"frame {_quote(each)} >> " for each in spec.frames) + f"ref={ref}")
    except SurehandError as error:
        return f"refused ({error})", "?"
    if spec.core == meant.core:
        named = await _identify(page, spec)
        return named, named
    return await _identify(page, spec), await _identify(page, meant)


def _quote(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


async def _identify(page: Page, spec: SelectorSpec) -> str:
    """Return the key of what a selector names; in words, where that is not one element."""
    locator = build_locator(spec, page)
    try:
        return await locator.evaluate(IDENTITIES, timeout=GIVEN_MS)
    except PlaywrightError as error:
        with suppress(PlaywrightError):
            return f"{await locator.count()} elements"
        return error.message.splitlines()[0][:120]


def tell_things(things: Sequence[Thing]) -> list[str]:
    """Return things in words."""
    return [str(thing) for thing in things]
