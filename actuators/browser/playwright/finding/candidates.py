"""Which elements a selector might have meant, each with a selector that names it alone, the nearest by name first. None is acted on."""

import asyncio
import itertools
import secrets
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Frame, Locator, Page
from rapidfuzz import utils
from rapidfuzz.distance import OSA

from actuators.browser.playwright.finding.causes import NO_ANSWER, answer_or
from actuators.browser.playwright.finding.locators import PlainForm, build_locator, write_form
from actuators.browser.playwright.finding.probes import probe, probe_matches
from core.selectors.selectors import ROLE_WORDS, PlainSelector, SelectorSpec, narrow_plain, quote_name, render_selector

NEAR = 67.0
"""The least nearness of what is worth naming."""

_LEAST_WORD = 3  # letters of a word that tells anything by itself
_INSIDE_SHARE = 0.97
# Letters with a stroke, which Unicode doesn't take apart.
_PLAIN_LETTERS = str.maketrans("łŁøØđĐ", "lLoOdD")


def fold_name(text: str) -> str:
    """Make a name comparable for people who type without marks and capitals."""
    bare = "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))
    return utils.default_process(bare.translate(_PLAIN_LETTERS))


def judge_nearness(wanted: str, name: str) -> float:
    """Return how near a name is to the one that was asked for, 0 to 100.

    Near is what is written nearly alike as a whole, or most of whose words are, whatever else the longer of the two says. Letters that stand in
    a row somewhere within a word make nothing near: "go" is not "categories".
    """
    asked, told = fold_name(wanted), fold_name(name)
    if not asked or not told:
        return 0.0
    whole = _compare(asked, told)
    return max(whole, _INSIDE_SHARE * _share(asked, told), _INSIDE_SHARE * _share(told, asked))


def _share(part: str, whole: str) -> float:
    """Return how much of a text's words, by their letters, are among another's; what has no word of its own to tell shares nothing."""
    words, others = part.split(), whole.split()
    if max(map(len, words)) < _LEAST_WORD:
        return 0.0
    total = sum(map(len, words))
    return sum(len(word) * max(_compare(word, other) for other in others) for word in words) / total


def _compare(one: str, other: str) -> float:
    """Return how much of two texts is the same, 0 to 100; letters that changed places count as one slip."""
    return 100 * OSA.normalized_similarity(one, other)


NEAREST = 5
SAME_ROLE_BONUS = 10.0
MOST_CANDIDATES = 1000
MOST_NAMED = 20
NAMING_MS = 500.0
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
    """Return all that a selector matches, at most twenty with selectors of their own, in the order of the page."""
    if frames:
        groups = await asyncio.gather(*(_read_matches(build_locator(spec, frame), frame, limit_ms) for frame in frames))
        found = [match for group in groups for match in group]
    else:
        found = await _read_matches(locator, None, limit_ms)
    for number, match in enumerate(found, 1):
        match["selector"] = _tell_match(match, number, spec)
    return found


async def _read_matches(place: Locator, frame: Frame | None, limit_ms: float) -> list[CandidateFacts]:
    token = secrets.token_hex(4)
    forms: list[PlainForm | None] = []
    try:
        found = await probe_matches(place, "about", limit_ms)
        await probe_matches(place, "keep_told", limit_ms, token=token)
        forms = await _name_told(place.first, token, range(min(len(found), MOST_NAMED)), limit_ms)
    except NO_ANSWER:  # its document changes just now; that something matched is known all the same
        found = [{"role": "generic", "name": "", "tag": "element"}]
    label = "" if frame is None else frame.name or await _title_of(frame, limit_ms)
    named = itertools.zip_longest(found, forms[: len(found)])
    return [match | ({"frame": label} if label else {}) | {"form": form} for match, form in named]


async def _name_told(
    place: Locator | Frame, token: str, places: Iterable[int], limit_ms: float
) -> list[PlainForm | None]:
    return await probe(place, "name_told", limit_ms, token=token, places=list(places), limit_ms=NAMING_MS)


def _tell_match(match: CandidateFacts, number: int, spec: SelectorSpec) -> str:
    form: PlainForm | None = match.pop("form", None)
    plain = spec.core if isinstance(spec.core, PlainSelector) else None
    if match.get("frame"):
        return f"frame {quote_name(match['frame'])} >> {spec.source.strip()}"
    if form and not (plain and plain.kind in _LISTS):  # of a value, only the label is known to people
        return write_form(form, spec.frames)
    if plain is None:
        return f"{spec.source} >> nth={number - 1}"
    narrowed = narrow_plain(plain, number)
    return render_selector(SelectorSpec("", narrowed, spec.frames)) if narrowed else ""


async def find_nearest(spec: SelectorSpec, page: Page, limit_ms: float) -> list[CandidateFacts]:
    """Return the elements whose names are most like the one that was asked for, nearest first; at most five."""
    core = spec.core
    wanted = core.name if isinstance(core, PlainSelector) else _words_of(core)
    kind = core.kind if isinstance(core, PlainSelector) else ""
    search = _Search(_LISTS.get(kind, "candidates"), secrets.token_hex(4), limit_ms / 2)
    groups = await asyncio.gather(*(search.read(frame) for frame in page.frames))
    found = [each for group in groups for each in group]
    likely = _likely_roles(core)
    # Of values, looks and icons all that there are may help: people don't know which a page has.
    least = 0.0 if kind in _LISTS else NEAR
    scored = [(judge_nearness(wanted, each.facts["name"]), each) for each in found]
    near = [
        (score + SAME_ROLE_BONUS * (each.facts["role"] in likely), each) for score, each in scored if score >= least
    ]
    nearest = [each for _, each in sorted(near, key=lambda pair: -pair[0])[:NEAREST]]
    forms = await search.name(nearest)
    told = [each.facts | {"selector": each.tell(form)} for each, form in zip(nearest, forms, strict=True)]
    # What is called just so is no other: it came meanwhile, or can't be found by that.
    return [each for each in told if each["selector"] != spec.source.strip()]


@dataclass(frozen=True, slots=True)
class _Candidate:
    facts: CandidateFacts
    frame: Frame
    place: int

    def tell(self, form: PlainForm | None) -> str:
        """Return a selector that names it."""
        frames = (self.facts["frame"],) if self.facts.get("frame") else ()
        if form:
            return write_form(form, frames)
        word = _WORD_OF_ROLE.get(self.facts["role"], "")
        kind = self.facts["role"] if self.facts["role"] in _LISTS else "role" if word else "control"
        plain = PlainSelector(kind, self.facts["name"].rstrip("…"), word if kind == "role" else "")
        return render_selector(SelectorSpec("", plain, frames))


@dataclass(frozen=True, slots=True)
class _Search:
    what: str
    token: str
    limit_ms: float  # of each question: what can't be named in time is told all the same

    async def read(self, frame: Frame) -> list[_Candidate]:
        """Return what a frame has to offer."""
        try:
            asked = {"limit": MOST_CANDIDATES, "token": self.token}
            found: list[CandidateFacts] = await probe(frame, self.what, self.limit_ms, **asked)
            label = "" if frame.parent_frame is None else frame.name or await _title_of(frame, self.limit_ms)
        except NO_ANSWER:
            return []  # a frame that goes away or doesn't answer has nothing to offer
        more = {"frame": label} if label else {}
        return [_Candidate(facts | more, frame, place) for place, facts in enumerate(found)]

    async def name(self, candidates: list[_Candidate]) -> list[PlainForm | None]:
        """Return how elements are named; None for what isn't one, or has gone."""
        if self.what != "candidates":
            return [None] * len(candidates)
        frames = list(dict.fromkeys(each.frame for each in candidates))
        answers = await asyncio.gather(*(self._name_in(frame, candidates) for frame in frames))
        named = {key: form for answer in answers for key, form in answer.items()}
        return [named.get((each.frame, each.place)) for each in candidates]

    async def _name_in(self, frame: Frame, candidates: list[_Candidate]) -> dict[tuple[Frame, int], PlainForm | None]:
        places = [each.place for each in candidates if each.frame is frame]
        forms = await answer_or(_name_told(frame, self.token, places, self.limit_ms), [None] * len(places))
        return {(frame, place): form for place, form in zip(places, forms, strict=True)}


def _likely_roles(core: PlainSelector | str) -> Collection[str]:
    if isinstance(core, str):
        return ()
    return FIELD_ROLES if core.kind in {"field", "label", "placeholder"} else core.roles


async def _title_of(frame: Frame, limit_ms: float) -> str:
    try:
        async with asyncio.timeout(limit_ms / 1000):
            element = await frame.frame_element()
            return await element.get_attribute("title") or await probe(frame, "title") or frame.url
    except (*NO_ANSWER, TimeoutError):
        return frame.url


def _words_of(literal: str) -> str:
    quoted = [part for part in literal.replace("'", '"').split('"')[1::2] if part]
    text = quoted[-1] if quoted else literal
    return " ".join("".join(c if c.isalnum() else " " for c in text).split())
