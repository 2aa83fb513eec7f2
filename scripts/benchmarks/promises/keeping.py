"""Whether an outline keeps its word on a page.

Each line names exactly what it was made for, now and after the page has made itself anew, and nothing that a person could act on is left out.

The page is looked at by the real verb, and lines are looked up as every verb does it. Which element that is, and what could be acted on, is said by
the page and by Chromium, and not by the engine.
"""

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Page

from actuators.browser.playwright.finding.actionability import Actionability, ActionTarget
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.verbs.back_end import make_toolsets
from actuators.browser.tools.reading import ReadingTools
from actuators.verb_table import PLANNER_RULES
from core.base.errors import SurehandError
from core.outlines.items import OutlineLine
from core.tools.ports import ActionContext
from scripts.benchmarks.looks.judge import Judgement, Thing, find_missing, judge, list_nodes, list_outer
from scripts.benchmarks.looks.ours import Fold, list_folds, list_lines, read_meaning

HERE = Path(__file__).parent
IDENTITIES = (HERE / "identities.js").read_text(encoding="utf-8")
RERENDERING = (HERE / "rerendering.js").read_text(encoding="utf-8")
_NUMBERED = """() => { try { return (window.lookKeys?.found ?? []).map((each) => window.top.benchNumbers?.get(each) ?? -1); } catch { return []; } }"""
_BEGIN = "() => { window.lookThere = new WeakSet(document.querySelectorAll('*')); }"
_BORN_LATER = """(numbers) => numbers.filter((number) => {
  const each = window.benchElements[number];
  return !each.isConnected || (document.contains(each) && !window.lookThere.has(each));
})"""
_GONE = "() => (window.lookKeys?.found ?? []).map((each) => !each.isConnected)"
_IS_HOST = "function () { const at = this.ownerDocument.defaultView; (at.lookHosts ??= new WeakSet()).add(this); }"
_UNNUMBER = "() => { for (const each of window.benchElements ?? []) each.removeAttribute('data-bench'); }"
LARGE = 200_000
SMALL = 300
MOST_SHARES = 20
MOST_LOOKS = 300
AT_ONCE = 10
GONE = "target_missing"
KEY = re.compile(r"\w+:\d+")
PATIENCE_S = 20.0
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
        self._reacher = Actionability(session)
        self._looks = 0

    async def check(self, name: str, small: int = SMALL) -> Verdict:
        """Return how the outline of the current page keeps its word.

        Args:
            name: What the page is called.
            small: Most tokens of the outline of which all folds are opened; more on a large page.
        """
        page = await self._session.open_page(self._context)
        self._looks = 0
        for frame in page.frames:
            await _try(frame, _BEGIN)
        told = await self.look(max_tokens=LARGE)
        whole = list_lines(told)
        small = max(small, told["tokens"] // MOST_SHARES)  # large pages have very many folds else
        unfolded = await self.open_folds(small)
        verdict = Verdict(name, looks=self._looks)
        keys = await self._check_lines(whole | unfolded, verdict)
        judgement = await judge(page)
        numbers = await self._read_numbers(page)
        verdict.things = len(judgement.things)
        later = set(await page.evaluate(_BORN_LATER, [each.number for each in judgement.things]))
        for lines, way in (
            (whole, "in one outline"),
            (unfolded, f"in outlines of {small} tokens, with all folds open"),
        ):
            told = [numbers[key] for ref in lines if (key := keys.get(ref)) in numbers]
            fields = {
                numbers[key] for ref, line in lines.items() if _is_field(line) and (key := keys.get(ref)) in numbers
            }
            missing = [
                thing
                for thing in find_missing(judgement, told)
                if not fields.intersection(list_outer(thing.number, judgement.parents))
                and (thing.name, True)
                not in {(outer.name, outer.number in told) for outer in _list_around(thing, judgement)}
            ]
            verdict.missing += [f"{thing} {way}" for thing in missing if thing.number not in later]
        await page.evaluate(_UNNUMBER)
        gone = await self._make_anew(page)
        lasting = {
            ref: line for ref, line in (whole | unfolded).items() if KEY.fullmatch(keys[ref]) and keys[ref] not in gone
        }
        verdict.lost = await self._find_lost(lasting, keys)
        return verdict

    async def look(self, **params: Any) -> Mapping[str, Any]:
        """Return what the verb gives."""
        self._looks += 1
        asked: dict[str, Any] = {**PLANNER_RULES["browser", "snapshot"].default_params, **params}
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

    async def _check_lines(self, lines: Mapping[str, OutlineLine], verdict: Verdict) -> dict[str, str]:
        """Return the keys of the elements that lines stand for, by their refs; and note what is wrong."""
        found = await self._identify_all([(line.selector, line.ref) for line in lines.values()])
        keys: dict[str, str] = {}
        for line, (named, meant) in zip(lines.values(), found, strict=True):
            verdict.lines += 1
            verdict.refs += line.selector.endswith(f"ref={line.ref}")
            keys[line.ref] = meant
            if meant.startswith(GONE) and (KEY.fullmatch(named) or named.startswith(GONE)):
                continue  # the page has made it anew by itself, or taken it away
            if not (named == meant and KEY.fullmatch(named)):
                verdict.wrong.append(f"{line.text.strip()}: {named}, and ref={line.ref} is {meant}")
            elif read_meaning(line.text.strip()) != read_meaning(line.selector):
                verdict.wrong.append(f"{line.text.strip()}: as a whole it is another selector than {line.selector}")
        return keys

    async def _identify_all(self, asked: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        done: list[tuple[str, str]] = []
        for start in range(0, len(asked), AT_ONCE):
            part = asked[start : start + AT_ONCE]
            done += await asyncio.gather(*(self._identify_both(selector, ref) for selector, ref in part))
        return done

    async def _identify_both(self, selector: str, ref: str) -> tuple[str, str]:
        named = await self._identify(selector)
        return named, named if selector == f"ref={ref}" else await self._identify(f"ref={ref}")

    async def _identify(self, selector: str) -> str:
        """Return the key of what a verb would act on; in words, where that is not one element."""
        context = ActionContext("g0_name_1", timeout_s=PATIENCE_S)
        try:
            return await self._reacher.act(context, selector, _read_key)
        except SurehandError as error:
            return f"{error.code} ({error.message})"
        except PlaywrightError as error:
            return error.message.splitlines()[0][:120]

    async def _read_numbers(self, page: Page) -> dict[str, int]:
        """Return the judge's numbers of all elements that have keys."""
        numbers: dict[str, int] = {}
        for frame in page.frames:
            own = await _try(frame, "() => window.lookKeys?.document ?? ''")
            for place, number in enumerate(await _try(frame, _NUMBERED) or ()):
                numbers[f"{own}:{place}"] = number
        return numbers

    async def _make_anew(self, page: Page) -> set[str]:
        """Make all documents anew; return the keys of what the page itself had taken away before."""
        await _mark_hosts(page)
        gone: set[str] = set()
        for frame in page.frames:
            own = await _try(frame, "() => window.lookKeys?.document ?? ''")
            gone |= {f"{own}:{place}" for place, is_gone in enumerate(await _try(frame, _GONE) or ()) if is_gone}
            await _try(frame, RERENDERING)
        return gone

    async def _find_lost(self, lines: Mapping[str, OutlineLine], keys: Mapping[str, str]) -> list[str]:
        lasting = [line for line in lines.values() if not line.selector.endswith(f"ref={line.ref}")]
        lost: list[str] = []
        for start in range(0, len(lasting), AT_ONCE):
            part = lasting[start : start + AT_ONCE]
            named = await asyncio.gather(*(self._identify(line.selector) for line in part))
            lost += [
                f"{line.text.strip()}: {key}, was {keys[line.ref]}"
                for line, key in zip(part, named, strict=True)
                if key != keys[line.ref]
            ]
        return lost


async def _try(frame: Frame, script: str) -> Any:
    """Return what a script says in a frame; None where it can't be asked, since it is on its way to another document."""
    with suppress(PlaywrightError):
        return await frame.evaluate(script)
    return None


async def _mark_hosts(page: Page) -> None:
    """Tell the page which elements have shadow roots; of closed ones it knows nothing itself."""
    session = await page.context.new_cdp_session(page)
    document = await session.send("DOM.getDocument", {"depth": -1, "pierce": True})
    for node in list_nodes(document["root"]):
        if any(root["shadowRootType"] != "user-agent" for root in node.get("shadowRoots", ())):
            found = await session.send("DOM.resolveNode", {"backendNodeId": node["backendNodeId"]})
            asked = {"functionDeclaration": _IS_HOST, "objectId": found["object"]["objectId"]}
            await session.send("Runtime.callFunctionOn", asked)
    await session.detach()


def _list_around(thing: Thing, judgement: Judgement) -> Iterator[Thing]:
    """Yield what something lies in; a link that is all of a tab is no thing beside it."""
    things = {each.number: each for each in judgement.things}
    for number in list_outer(thing.number, judgement.parents):
        if number in things:
            yield things[number]


def _is_field(line: OutlineLine) -> bool:
    """Tell whether a line is of something to fill in, of which all that is in it is a part: a slider has its knob."""
    return line.selector.rpartition(">> ")[2].startswith("field")


async def _read_key(aim: ActionTarget) -> str:
    return await aim.locator.evaluate(IDENTITIES, timeout=aim.take_ms())
