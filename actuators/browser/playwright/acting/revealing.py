"""Bringing an element into sight: opening what is collapsed, going through tabs, menus and pages, scrolling; and what that took."""

import operator
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Locator

from actuators.browser.playwright.engine.scripts import engine_selector
from actuators.browser.playwright.finding.actionability import ActionTarget, make_attempt
from actuators.browser.playwright.finding.causes import read_failure
from actuators.browser.playwright.finding.explanations import explain_ambiguous
from actuators.browser.playwright.finding.idling import IdleWatch, ask_until
from actuators.browser.playwright.finding.locators import build_locator, build_whole
from actuators.browser.playwright.finding.probes import PROBE_MS, count_matches, probe, probe_matches
from actuators.browser.playwright.session.watches import Watch
from actuators.deadlines import Deadline, allow_s, pause
from core.base.errors import TargetError
from core.rules.browser_choices import RevealMethod
from core.selectors.selectors import PlainSelector, Region, SelectorSpec, render_plain, render_selector

WAYS = ("sections", "tabs", "menus", "scroll", "pages")
"""The order in which ``any`` tries them: what changes least comes first."""

SHOWN = 30


@dataclass(slots=True)
class RevealPath:
    """The way that a search has gone.

    Attributes:
        tried: What was pressed or scrolled, with its kind, in order.
        passed: What could not be pressed, with the reason.
        by: What brought the element into sight at last; ``none`` where it was there already.
        through: Names of what brought it there, in order.
    """

    tried: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    passed: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    by: str = "none"
    through: list[str] = field(default_factory=list[str])
    in_view: bool = False

    def add(self, kind: str, name: str) -> None:
        """Note what is tried next; scrolling the same thing on counts once."""
        if kind != "scroll" or (kind, name) not in self.tried:
            self.tried.append((kind, name))

    def finish(self, kind: str, name: str) -> None:
        """Note what has brought something new into sight."""
        self.by = kind
        if name:
            self.through.append(name)

    def output(self) -> dict[str, Any]:
        """Return what the tool puts out."""
        return {"by": self.by, "through": list(self.through)}

    def evidence(self) -> dict[str, Any]:
        """Return what the tool gives as evidence."""
        told = [{"kind": kind, "name": name} for kind, name in self.tried[:SHOWN]]
        passed = {"passed_over": self.passed[:SHOWN]} if self.passed else {}
        return {**self.output(), "in_view": self.in_view, "tried": told, "count": len(self.tried), **passed}


def explain_unrevealed(selector: str, url: str, trail: RevealPath) -> TargetError:
    """Return the error for an element that came up nowhere."""
    names = [f'{kind} "{name}"' if name else kind for kind, name in trail.tried]
    looked = f" Looked through {', '.join(names[:SHOWN])}{', …' if len(names) > SHOWN else ''}." if names else ""
    evidence = {"selector": selector, "url": url, **trail.evidence()}
    return TargetError(
        f"{selector.strip()} was not found anywhere on this page.{looked or ' There was nothing to open.'}",
        hint="Check the spelling, or look on another page.",
        evidence=evidence,
    )


def find_counted(spec: SelectorSpec) -> PlainSelector | None:
    """Return the part of a selector that names one of several like parts by its place from the first; None without one."""
    core = spec.core
    if not isinstance(core, PlainSelector):
        return None
    parts = [core, *(region.selector for region in core.regions if region.selector)]
    return next((each for each in parts if each.kind == "record" and not each.name and (each.nth or 0) > 0), None)


def shift_counted(spec: SelectorSpec, number: int) -> SelectorSpec:
    """Return the selector for a later page of a list, where so many parts were on those before it."""
    counted, core = find_counted(spec), spec.core
    if counted is None or not isinstance(core, PlainSelector):
        return spec
    nearer = replace(counted, nth=max(1, (counted.nth or 1) - number))
    regions = tuple(Region("", "", nearer) if each.selector is counted else each for each in core.regions)
    shifted = nearer if core is counted else replace(core, regions=regions)
    return replace(spec, source=render_selector(SelectorSpec("", shifted, spec.frames)), core=shifted)


QUIET_MS = 60.0  # without a change until what was pressed counts as done
SETTLING_S = 1.0
LOADING_S = 3.0
LOOK_S = 0.03
PRESS_MS = 3000.0
HOVER_ANSWER_S = 0.6
MOST_OPENED = 300
MOST_SCROLLS = 500


@dataclass(slots=True)
class RevealSearch:
    """One search for an element; the whole is known where something with exactly that text is there, or was."""

    spec: SelectorSpec
    aim: ActionTarget
    watch: Watch
    trail: RevealPath = field(default_factory=RevealPath)
    token: str = field(default_factory=lambda: secrets.token_hex(4))
    has_whole: bool = False
    idle: IdleWatch = field(init=False)

    def __post_init__(self) -> None:
        self.idle = IdleWatch(lambda: list(self.aim.page.frames))

    @property
    def root(self) -> Locator:
        """The document in which things are opened: the page's, or that of the frame which the selector names."""
        return build_locator(SelectorSpec(":root", ":root", self.spec.frames), self.aim.page)

    async def look(self, *, loosely: bool = False) -> bool:
        """Aim at the element if it is in sight; loosely, a part of a text stands in for the same that is hidden."""
        frames = self.aim.page.frames if self.spec.searches_frames else [self.aim.page.main_frame]
        for frame in frames:
            whole = build_whole(self.spec, frame)
            if whole is not None and (seen := await self._ask(whole, frame)):
                self.has_whole = True
                if await self._take(whole, seen, frame):
                    return True
        return False if self.has_whole and not loosely else await self._look_loosely(frames)

    async def settle(self) -> None:
        """Wait until the page has come to rest, within limits."""
        quick, slow = Deadline(allow_s(SETTLING_S)), Deadline(allow_s(LOADING_S))
        while True:
            await pause(LOOK_S)
            await self.idle.is_idle(0)
            rest_ms = min(self.idle.rests_ms if self.spec.frames else self.idle.rests_ms[:1])
            is_loading = "requests" in self.idle.busy
            is_over = (slow if is_loading else quick).is_over or self.aim.deadline.is_over
            if is_over or (rest_ms >= QUIET_MS and not is_loading):
                return

    async def read_mark(self) -> str:
        """Return a mark of what the page shows; another one where it shows something else."""
        return await probe(self.root, "content", PROBE_MS)

    async def next_opener(self, ways: Sequence[str]) -> dict[str, Any] | None:
        """Return the next thing to press, which the page engine aims at from now on; None if there is none."""
        return await probe(self.root, "opener", PROBE_MS, token=self.token, by=list(ways))

    async def next_behind(self, ways: Sequence[str]) -> dict[str, Any] | None:
        """Close the menu that was opened in vain, which may keep people from what is behind it; return what is there to press."""
        if not any(kind == "menus" for kind, _ in self.trail.tried):
            return None
        await self.aim.page.keyboard.press("Escape")
        await self.settle()
        return await self.next_opener(ways)

    async def press(self, opener: dict[str, Any]) -> None:
        """Press it, or only point at it where that opens it; what can't be pressed is noted and passed over."""
        locator = self.root.locator(engine_selector("opener", token=self.token))
        limit_ms = min(PRESS_MS, self.aim.take_ms())
        try:
            before = await self.read_mark() if opener["kind"] == "menus" else ""
            if opener["hover"]:
                await self.watch.run(locator.hover(timeout=limit_ms))
                await self._wait_for_change(before)
                if await self.look() or not opener["press"]:
                    return
            elif opener["is_icon"]:  # icons may change under the pointer, and lose a press meanwhile
                await locator.hover(timeout=limit_ms)
                await self.settle()
            await self.watch.run(locator.click(timeout=limit_ms))
            if before:
                await self._wait_for_change(before)  # some open for the pointer alone, a moment later
        except PlaywrightError as error:
            if read_failure(error.message).fault:
                raise
            why = {"kind": opener["kind"], "name": opener["name"], "reason": error.message.splitlines()[0]}
            self.trail.passed.append(why)

    async def scroll_on(self) -> bool:
        """Scroll a little further; return False where everything is at its end."""
        moved = await probe(self.root, "scroll_on", PROBE_MS, token=self.token)
        if moved:
            self.trail.add("scroll", moved["name"])
        return bool(moved)

    async def list_counted(self) -> list[str]:
        """Return the texts of the like parts of this page, where one of them is meant by its place; else nothing."""
        counted = find_counted(self.spec)
        if counted is None:
            return []
        alike = replace(counted, nth=None, quantity="every")
        locator = build_locator(SelectorSpec(render_plain(alike), alike, self.spec.frames), self.aim.page)
        return await locator.all_inner_texts()

    async def _look_loosely(self, frames: Sequence[Frame]) -> bool:
        for frame in frames:
            locator = build_locator(self.spec, frame)
            if await self._take(locator, await self._ask(locator, frame), frame):
                return True
        return False

    async def _take(self, locator: Locator, seen: list[dict[str, Any]], frame: Frame) -> bool:
        shown = sum(each["shown"] for each in seen)
        if shown:
            self.aim.locator = locator
        if shown > 1:
            others = [] if frame is self.aim.page.main_frame else [frame]
            raise await explain_ambiguous(make_attempt(self.spec, self.aim), others)
        return shown == 1

    async def look_soon(self, by: RevealMethod) -> bool:
        """Wait for the menu that somebody may just have pointed at, and look again."""
        if by != "menus":
            return False
        await self._wait_for_change(await self.read_mark())
        return await self.look()

    async def _wait_for_change(
        self, before: str, limit_s: float = HOVER_ANSWER_S, idle: IdleWatch | None = None
    ) -> bool:
        mark = await ask_until(self.read_mark, partial(operator.ne, before), limit_s, LOOK_S, idle)
        await self.settle()
        return mark != before

    async def has_more_come(self, before: str) -> bool:
        """Wait until the page shows something else than before, or has been idle for a while; return whether it does."""
        self.idle.begin_again()
        return await self._wait_for_change(before, self.aim.deadline.remaining_s, self.idle)

    async def _ask(self, locator: Locator, frame: Frame) -> list[dict[str, Any]]:
        try:
            if not await count_matches(locator):
                return []
            return await probe_matches(locator, "sight", PROBE_MS, token=self.token)
        except PlaywrightError:
            if frame.is_detached() or self.aim.page.is_closed():
                raise
            return []  # it was just taken away


async def reveal(spec: SelectorSpec, aim: ActionTarget, watch: Watch, by: RevealMethod) -> RevealPath:
    """Bring an element into sight; return what it took. ``target_missing`` if it came up nowhere, ``target_ambiguous`` if several did at once."""
    search = RevealSearch(spec, aim, watch)
    await search.settle()
    begun = await search.read_mark()
    is_found = await search.look() or await search.look_soon(by) or await _look_everywhere(search, by)
    # What was there when the search began counts where nothing was touched since.
    if not is_found and await search.has_more_come(await search.read_mark() if search.trail.tried else begun):
        is_found = await search.look() or await _look_everywhere(search, by)
    if not is_found and not await search.look(loosely=True):
        raise explain_unrevealed(spec.source, aim.page.url, search.trail)
    await _bring_into_view(search)
    return search.trail


async def _look_everywhere(search: RevealSearch, by: RevealMethod) -> bool:
    ways = WAYS if by == "any" else (by,)
    openers = [each for each in ways if each not in {"scroll", "pages"}]
    marks: set[str] = set()
    while not search.aim.deadline.is_over and len(search.trail.tried) < MOST_OPENED:
        if openers and await _open_all(search, openers):
            return True
        if "scroll" in ways and await _scroll_through(search):
            return True
        if "pages" not in ways or not await _turn_and_count(search, marks):
            return False
        if await search.look():
            return True
    return False


async def _open_all(search: RevealSearch, ways: Sequence[str]) -> bool:
    while len(search.trail.tried) < MOST_OPENED and not search.aim.deadline.is_over:
        opener = await search.next_opener(ways) or await search.next_behind(ways)
        if opener is None:
            return False
        search.trail.add(opener["kind"], opener["name"])
        await search.press(opener)
        await search.settle()
        if await search.look():
            search.trail.finish(opener["kind"], opener["name"])
            return True
    return False


async def _scroll_through(search: RevealSearch) -> bool:
    has_moved = False
    for _ in range(MOST_SCROLLS):
        if search.aim.deadline.is_over:
            break
        if is_moving := await search.scroll_on():
            await search.settle()
        elif not has_moved or not await search.has_more_come(await search.read_mark()):
            break
        has_moved = is_moving
        if await search.look():
            search.trail.finish("scroll", "")
            return True
    await probe(search.root, "scroll_back", PROBE_MS, token=search.token)
    return False


async def _turn_and_count(search: RevealSearch, marks: set[str]) -> bool:
    before = await search.list_counted()
    if not await _turn_page(search, marks):
        return False
    after = await search.list_counted() if before else []
    if before and after[:1] != before[:1]:
        search.spec = shift_counted(search.spec, len(before))
    return True


async def _turn_page(search: RevealSearch, marks: set[str]) -> bool:
    marks.add(await search.read_mark())
    while opener := await search.next_opener(["pages"]):
        search.trail.add("pages", opener["name"])
        await search.press(opener)
        await search.settle()
        mark = await search.read_mark()
        if mark not in marks:
            search.trail.finish("pages", opener["name"])
            return True
        if search.trail.tried.count(("pages", opener["name"])) > 1:
            return False
    return False


async def _bring_into_view(search: RevealSearch) -> None:
    aim = search.aim
    seen = await probe(aim.locator, "sight", aim.take_ms(), token=search.token)
    if not seen["in_view"]:
        await aim.locator.scroll_into_view_if_needed(timeout=aim.take_ms())
        seen = await probe(aim.locator, "sight", aim.take_ms(), token=search.token)
        search.trail.by = "scroll" if search.trail.by == "none" else search.trail.by
    # What lies open around the element, before what was opened last.
    way: list[str] = await probe(aim.locator, "way", aim.take_ms(), token=search.token)
    search.trail.through = [name for name in way if name not in search.trail.through] + search.trail.through
    search.trail.in_view = seen["in_view"]
    await probe(aim.locator, "keep", aim.take_ms())
