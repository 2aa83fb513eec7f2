"""PageWitness: what steps of a flow see of their elements, in one question to the page; and what became of one that is missing."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import FloatRect, Frame, Locator, Page

from actuators.browser.playwright.engine.scripts import engine_selector
from actuators.browser.playwright.finding.causes import NO_ANSWER
from actuators.browser.playwright.finding.failure_snapshots import take_masked
from actuators.browser.playwright.finding.locators import build_locator, write_form
from actuators.browser.playwright.finding.probes import count_matches, probe
from actuators.browser.playwright.looking.outlines import Inquiry, Look, RefNumbers, Room, look_at, read_item
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.ports.pages import Failure
from actuators.failure_files import write_run_picture
from core.base.errors import SurehandError, TargetError
from core.outlines.items import OutlineItem
from core.outlines.recognising import MENDING, Miss, rank, recognise, tell_miss
from core.outlines.sightings import SeenThing, StepSightings
from core.outlines.surroundings import OutlineSurroundings
from core.results.records import to_data
from core.selectors.selectors import PlainSelector, SelectorSpec, parse_selector, quote_name, render_selector
from core.tools.ports import ActionContext

BOX_MS = 400.0
CROP_S = 1.0
QUALITY = 70
WIDTH_PX, HEIGHT_PX = 560.0, 280.0
"""Of a picture; more where the element needs it, so that pictures of then and now have the same scale where they can."""
MARGIN_PX = 40.0
WIDEST_PX, TALLEST_PX = 900.0, 600.0


async def _add_picture(
    session: PlaywrightSession, context: ActionContext, thing: SeenThing, locator: Locator, name: str
) -> SeenThing:
    bare, page = replace(thing, picture="", mark=()), locator.page
    if not session.settings.failure_pictures or not context.run_id:
        return bare
    try:
        async with asyncio.timeout(CROP_S):
            box = await locator.bounding_box(timeout=BOX_MS)
            ground: dict[str, Any] = await probe(page, "boxes", BOX_MS, refs=[])
            if box is None:
                return bare
            clip, mark, is_whole = _place(box, ground)
            how: dict[str, Any] = {"type": "jpeg", "quality": QUALITY, "clip": clip, "full_page": is_whole}
            content = await take_masked(page, context.vault, **how, scale="css")
        await asyncio.to_thread(write_run_picture, session.settings.artifacts_dir, context.run_id, name, content)
    except (*NO_ANSWER, TimeoutError, OSError):
        return bare
    return replace(thing, picture=name, mark=mark)


def _place(box: FloatRect, ground: dict[str, Any]) -> tuple[FloatRect, tuple[float, ...], bool]:
    width, height = ground["window"]
    is_seen = (
        box["x"] >= 0 and box["y"] >= 0 and box["x"] + box["width"] <= width and box["y"] + box["height"] <= height
    )
    (left, top), (most_x, most_y) = ((0, 0), (width, height)) if is_seen else (ground["scrolled"], ground["page"])
    x, y = box["x"] + left, box["y"] + top
    from_x, wide = _span(x, box["width"], (WIDTH_PX, WIDEST_PX), most_x)
    from_y, tall = _span(y, box["height"], (HEIGHT_PX, TALLEST_PX), most_y)
    clip = FloatRect(x=from_x, y=from_y, width=wide, height=tall)
    mark = tuple(round(each, 1) for each in (x - from_x, y - from_y, box["width"], box["height"]))
    return clip, mark, not is_seen


def _span(start: float, length: float, limits: tuple[float, float], most: float) -> tuple[float, float]:
    usual, longest = limits
    wanted = min(max(usual, length + 2 * MARGIN_PX), longest, max(most, 1.0))
    begin = start - max(0.0, wanted - length) / 2
    return max(0.0, min(begin, most - wanted)), wanted


NOTE_S = 2.0
NOTE_MS = 1500.0
COMPARING_S = 3.0
LEAST_S = 0.2
_PLAIN = frozenset({"role", "field"})
MOST_COMPARED = 10
"""Things whose markup is asked for, the likeliest by all else."""


class PageWitness:
    """Sees for those who mend flows; what it can't see is left out, and no step fails by it."""

    def __init__(self, session: PlaywrightSession, numbers: RefNumbers) -> None:
        self._session = session
        self._numbers = numbers

    async def note(self, context: ActionContext, selector: str, locator: Locator) -> None:
        """Note what is seen of an element that is there."""
        step = context.sightings
        if step is None or step.has_seen(selector):
            return
        try:
            async with asyncio.timeout(NOTE_S):
                seen = await self._see(context, parse_selector(selector), locator.first)
                thing = await self._show(context, step, replace(seen, selector=selector), locator.first)
        except (PlaywrightError, SurehandError, TimeoutError):
            return
        step.note(context.vault.redact(thing))

    async def _see(self, context: ActionContext, spec: SelectorSpec, locator: Locator) -> SeenThing:
        start = self._numbers.reserve()
        is_named = not _is_plain(spec)
        options = {"from": start, "secrets": context.vault.list_revealed(), "is_named": is_named}
        told: dict[str, Any] = await probe(locator, "seen", NOTE_MS, **options)
        outline = told["outline"]
        self._numbers.give_back(start, outline["next"] if outline else start)
        frames: Sequence[str] = await _name_frames(locator) if told["framed"] else ()
        line = write_form(told["form"], spec.frames or frames) if is_named else render_selector(spec)
        words = tuple(f"frame {quote_name(each)}" if each else "frame" for each in frames)
        return replace(_describe(told), line=line, facts=told["facts"], url=told["url"], frames=words)

    async def _show(self, context: ActionContext, step: StepSightings, thing: SeenThing, locator: Locator) -> SeenThing:
        last = step.find_last(thing.selector)
        if last and last.picture and last.is_like(thing):
            return replace(thing, picture=last.picture, mark=last.mark)
        name = f"{context.action_id}.{step.count_seen()}.seen.jpg"
        return await _add_picture(self._session, context, thing, locator, name)

    async def explain(self, context: ActionContext, selector: str, error: Failure, left_s: float) -> Failure:
        """Return the error of a step that missed its element, with what became of it where that is remembered."""
        step = context.sightings
        was = step.find_last(selector) if step else None
        if step is None or was is None or left_s < LEAST_S or MENDING in error.evidence:
            return error
        try:
            async with asyncio.timeout(min(left_s, COMPARING_S)):
                miss = await self._compare(context, step, was)
        except (PlaywrightError, SurehandError, TimeoutError):
            return error
        error.message = f"{error.message} {tell_miss(miss)}"
        error.hint = f"surehand flows mend {step.book.path} shows then and now, and changes the flow where you accept."
        error.evidence[MENDING] = to_data(miss)
        return error

    async def _compare(self, context: ActionContext, step: StepSightings, was: SeenThing) -> Miss:
        page = self._session.current_page(context)
        if await _is_unique(was.selector, page):
            raise TargetError(f"{was.selector} is there.", code="target_there")
        question = Inquiry(self._numbers, context.vault.list_revealed())
        look = await look_at(page, Room(page), question, NOTE_MS, is_page=True)
        around = OutlineSurroundings(look.items)
        present = [around.describe(at) for at in range(len(look.items))]
        await _add_facts(look, present, [at for at, _ in rank(was, present)[:MOST_COMPARED]])
        found = recognise(was, present)
        now = [await self._name(look, page, look.items[at], present[at]) for at in found.likely]
        now = [await self._take_picture(context, look, at, thing) for at, thing in zip(found.likely, now, strict=True)]
        return Miss(
            selector=was.selector,
            place=step.place,
            run_id=step.book.last.run_id,
            verdict=found.verdict,
            was=was,
            now=tuple(now),
            scores=found.scores,
            differences=found.differences,
        )

    async def _name(self, look: Look, page: Page, item: OutlineItem, thing: SeenThing) -> SeenThing:
        named = (await look.name_items([item])).get(item.ref)
        selector = named.selector if named else ""
        is_lasting = selector and not selector.rpartition(">> ")[2].startswith("ref=")
        url = page.url.partition("?")[0].partition("#")[0]
        return replace(thing, line=selector if is_lasting and await _is_unique(selector, page) else "", url=url)

    async def _take_picture(self, context: ActionContext, look: Look, at: int, thing: SeenThing) -> SeenThing:
        ref = look.items[at].ref
        room = look.rooms.get(ref)
        if room is None:
            return thing
        locator = room.place.locator(engine_selector("ref", name=ref))
        return await _add_picture(self._session, context, thing, locator, f"{context.action_id}.{at}.now.jpg")


def _describe(told: dict[str, Any]) -> SeenThing:
    outline = told["outline"]
    around = OutlineSurroundings([read_item(facts, 0) for facts in outline["things"]] if outline else [])
    at = around.find(told["ref"]) if told["ref"] else -1
    if at < 0:
        return SeenThing(role=told["role"], name=told["name"], acts=False)
    return replace(around.describe(at), others=around.list_others(at))


def _is_plain(spec: SelectorSpec) -> bool:
    core = spec.core
    return (
        isinstance(core, PlainSelector)
        and core == PlainSelector(core.kind, core.name, core.word)
        and core.kind in _PLAIN
    )


async def _name_frames(locator: Locator) -> list[str]:
    element = await locator.element_handle(timeout=NOTE_MS)
    frame: Frame | None = await element.owner_frame()
    names: list[str] = []
    while frame and frame.parent_frame:
        holder = await frame.frame_element()
        names.append(await holder.get_attribute("title") or frame.name)
        frame = frame.parent_frame
    return names[::-1]


async def _add_facts(look: Look, present: list[SeenThing], places: Sequence[int]) -> None:
    rooms: dict[Room, list[int]] = {}
    for at in places:
        if room := look.rooms.get(look.items[at].ref):
            rooms.setdefault(room, []).append(at)
    for room, members in rooms.items():
        told = await probe(room.place, "facts", NOTE_MS, refs=[look.items[at].ref for at in members])
        for at, facts in zip(members, told, strict=True):
            present[at] = replace(present[at], facts=facts)


async def _is_unique(selector: str, page: Page) -> bool:
    spec = parse_selector(selector)
    frames = page.frames if spec.searches_frames else [page.main_frame]
    counts = [await count_matches(build_locator(spec, frame)) for frame in frames]
    return counts[0] == 1 or (counts[0] == 0 and sum(counts) == 1)
