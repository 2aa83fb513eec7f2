"""Which elements a selector might have meant, each with a selector that names it alone. None of them is acted on."""

import asyncio
import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Locator, Page
from rapidfuzz import fuzz, process, utils

from actuators.browser.playwright.finding.locators import build_locator
from actuators.browser.playwright.finding.persisting import EngineError
from actuators.browser.playwright.finding.probes import probe, probe_matches
from core.selectors.selectors import (
    ROLE_WORDS,
    PlainSelector,
    Region,
    SelectorSpec,
    narrow_plain,
    quote_name,
    render_plain,
    render_selector,
)

NEAREST = 5
LEAST_SCORE = 60.0
SAME_ROLE_BONUS = 10.0
MOST_CANDIDATES = 1000
# Letters with a stroke, which Unicode doesn't take apart.
_PLAIN_LETTERS = str.maketrans("łŁøØđĐ", "lLoOdD")
FIELD_ROLES = frozenset({"textbox", "searchbox", "combobox", "spinbutton", "listbox", "slider"})
# What lists the names of things that have no role, by the kind of selector that names them.
_LISTS = {"value": "valued", "look": "looked", "icon": "iconed"}
_WORD_OF_ROLE = {role: word for word, roles in ROLE_WORDS.items() for role in roles}

CandidateFacts = dict[str, Any]


def describe_element(found: CandidateFacts) -> str:
    """Return an element's role, name and place for a message."""
    name = f" {quote_name(found['name'])}" if found.get("name") else ""
    role = found.get("look") or (found["role"] if found["role"] not in {"generic", ""} else found["tag"])
    mark = f" ({found['tag']}#{found['id']})" if found.get("id") else ""
    place = f" in {quote_name(found['in'])}" if found.get("in") else ""
    frame = f" in frame {quote_name(found['frame'])}" if found.get("frame") else ""
    return f"{role}{name}{mark}{place}{frame}"


async def list_matches(
    spec: SelectorSpec, locator: Locator, frames: Sequence[Frame], limit_ms: float
) -> list[CandidateFacts]:
    """Return all elements that a selector matches, at most twenty with particulars, in the order of the page.

    Args:
        spec: The selector.
        locator: What it became in its own frame.
        frames: Frames to look in instead, if it is in several.
        limit_ms: Milliseconds to wait for an answer.
    """
    if frames:
        groups = await asyncio.gather(*(_read_matches(build_locator(spec, frame), frame, limit_ms) for frame in frames))
        found = [match for group in groups for match in group]
    else:
        found = await _read_matches(locator, None, limit_ms)
    _add_selectors(found, spec)
    return found


async def _read_matches(place: Locator, frame: Frame | None, limit_ms: float) -> list[CandidateFacts]:
    try:
        found = await probe_matches(place, "about", limit_ms)
    except (
        PlaywrightError,
        EngineError,
    ):  # its document changes just now; that something matched is known all the same
        found = [{"role": "generic", "name": "", "tag": "element"}]
    if frame:
        label = frame.name or await _title_of(frame, limit_ms)
        found = [match | {"frame": label} for match in found]
    return found


async def find_nearest(spec: SelectorSpec, page: Page, limit_ms: float) -> list[CandidateFacts]:
    """Return the elements whose names are most like the one that was asked for, nearest first; at most five.

    Args:
        spec: The selector.
        page: Where to look, in all frames.
        limit_ms: Milliseconds to wait for a frame's answer.
    """
    core = spec.core
    wanted = core.name if isinstance(core, PlainSelector) else _words_of(core)
    kind = core.kind if isinstance(core, PlainSelector) else ""
    what = _LISTS.get(kind, "candidates")
    groups = await asyncio.gather(*(_read_frame(frame, what, limit_ms) for frame in page.frames))
    found = [each for group in groups for each in group]
    likely = _likely_roles(core)
    # Of values, looks and icons all that there are may help: people don't know which a page has.
    scored = process.extract(
        wanted, [each["name"] for each in found], scorer=fuzz.WRatio, processor=_fold,
        limit=NEAREST * 4, score_cutoff=0.0 if kind in _LISTS else LEAST_SCORE,
    )  # fmt: skip
    ranked = sorted(scored, key=lambda hit: -hit[1] - (SAME_ROLE_BONUS if found[hit[2]]["role"] in likely else 0.0))
    nearest = [found[index] for _, _, index in ranked[:NEAREST]]
    for each in nearest:
        each["selector"] = _selector_for(each, found)
    return nearest


def _fold(text: str) -> str:
    """Make a text comparable for people who type without marks and capitals."""
    bare = "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))
    return utils.default_process(bare.translate(_PLAIN_LETTERS))


def _likely_roles(core: PlainSelector | str) -> Collection[str]:
    if isinstance(core, str):
        return ()
    return FIELD_ROLES if core.kind in {"field", "label", "placeholder"} else core.roles


async def _read_frame(frame: Frame, what: str, limit_ms: float) -> list[CandidateFacts]:
    try:
        found: list[CandidateFacts] = await probe(frame, what, limit_ms, limit=MOST_CANDIDATES)
        label = "" if frame.parent_frame is None else frame.name or await _title_of(frame, limit_ms)
    except (PlaywrightError, EngineError):
        return []  # a frame that goes away or doesn't answer has nothing to offer
    for each in found:
        if label:
            each["frame"] = label
    return found


async def _title_of(frame: Frame, limit_ms: float) -> str:
    try:
        async with asyncio.timeout(limit_ms / 1000):
            element = await frame.frame_element()
            return await element.get_attribute("title") or await probe(frame, "title") or frame.url
    except (PlaywrightError, EngineError, TimeoutError):
        return frame.url


def _add_selectors(found: list[CandidateFacts], spec: SelectorSpec) -> None:
    """Give each match a selector that singles it out: by test id, id, region, or number."""
    by_place = Counter(match.get("in") for match in found)
    test_ids = Counter(match.get("testid") for match in found)
    plain = spec.core if isinstance(spec.core, PlainSelector) else None
    for number, match in enumerate(found, 1):
        if match.get("frame"):
            match["selector"] = f"frame {quote_name(match['frame'])} >> {spec.source.strip()}"
        elif match.get("testid") and test_ids[match["testid"]] == 1:
            match["selector"] = f"testid={quote_name(match['testid'])}"
        elif plain:
            _narrow(match, plain, number if not match.get("in") or by_place[match["in"]] > 1 else None, spec)
        else:
            match["selector"] = f"{spec.source} >> nth={number - 1}"


def _narrow(match: CandidateFacts, plain: PlainSelector, number: int | None, spec: SelectorSpec) -> None:
    """Give a match a selector by its number, or by its region if it has no number; none where both mean something else."""
    narrowed = narrow_plain(plain, number or 1)
    if narrowed and number is None:
        narrowed = replace(plain, regions=(*plain.regions, Region(match["in"])))
    if narrowed:
        match["selector"] = render_selector(SelectorSpec("", narrowed, spec.frames))


def _selector_for(each: CandidateFacts, found: list[CandidateFacts]) -> str:
    """Return a plain selector for a candidate."""
    word = _WORD_OF_ROLE.get(each["role"], "")
    kind = "field" if each["role"] in FIELD_ROLES else "role" if word else "control"
    kind = each["role"] if each["role"] in _LISTS else kind
    twins = [other for other in found if other["name"] == each["name"] and other["role"] == each["role"]]
    regions = (Region(each["in"]),) if len(twins) > 1 and each.get("in") else ()
    frame = f"frame {quote_name(each['frame'])} >> " if each.get("frame") else ""
    return frame + render_plain(PlainSelector(kind, each["name"].rstrip("…"), word if kind == "role" else "", regions))


def _words_of(literal: str) -> str:
    """Return the words in a literal selector, which is all there is to compare names with."""
    quoted = [part for part in literal.replace("'", '"').split('"')[1::2] if part]
    text = quoted[-1] if quoted else literal
    return " ".join("".join(c if c.isalnum() else " " for c in text).split())
