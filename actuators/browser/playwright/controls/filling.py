"""Filling in the fields of a page, and which of them is meant: "directed by Ada" is the field Director."""

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import Page

from actuators.browser.playwright.acting.concluding import check_sent
from actuators.browser.playwright.controls.controls import SettingResult
from actuators.browser.playwright.controls.setting import set_control
from actuators.browser.playwright.engine.scripts import engine_selector
from actuators.browser.playwright.finding.actionability import ActionTarget, begin_act
from actuators.browser.playwright.finding.probes import count_matches, probe
from actuators.browser.playwright.session.watches import Watch
from actuators.browser.ports.acts import Value
from actuators.deadlines import Deadline, allow_s, pause
from core.base.errors import TargetError
from core.base.matching import fold_space

APPEARING_S = 5.0
LOOK_S = 0.1

LEAST_STEM = 5  # characters that two words of one family begin with: directed, director
LEAST_WORD = 3  # characters of a word that another one may begin with: year, years
_BEST, _WHOLE, _AKIN, _SOME, _MARKED = 5, 4, 3, 2, 1
_WORDS = re.compile(r"[^\W_]+")
_PREFIX = re.compile(r"\b(\w{1,2})-(?=\w)")  # e-mail, re-enter
# What says nothing about which field is meant, beside other words.
_SMALL = frozenset([
    "a", "an", "and", "at", "by", "der", "die", "das", "for", "from",
    "in", "of", "on", "or", "please", "the", "to", "von", "with", "your",
])  # fmt: skip
# What a page calls the field that takes a value once more.
_ONCE_MORE = frozenset(
    ["again", "confirm", "confirmation", "re", "repeat", "repeated", "retype", "reenter", "verify", "wiederholen"]
)


@dataclass(frozen=True, slots=True)
class FoundField:
    """A field that can be filled in."""

    names: tuple[str, ...]  # what people may call it: labels, hint, the words beside it
    marks: tuple[str, ...] = ()  # what its author calls it: id, name
    is_empty: bool = True
    value: str = ""  # what the page clearly says elsewhere under the same label
    held: str | None = None  # the text that it holds; None for secrets and for what isn't a text

    @property
    def name(self) -> str:
        """What messages call it."""
        return (self.names or self.marks or ("",))[0]


@dataclass(slots=True)
class Filled:
    """What came of it: what fields hold by the page's names for them, without secrets; what words meant; what each held when it was filled in, in order."""

    values: dict[str, str] = field(default_factory=dict[str, str])
    places: dict[str, str] = field(default_factory=dict[str, str])
    held: list[str] = field(default_factory=list[str])
    is_read: bool = True


class Filler:
    """Fills in the fields of one page, in the seconds that all of it may take."""

    def __init__(self, page: Page, timeout_s: float) -> None:
        self._page = page
        self._timeout_s = timeout_s
        self._deadline = Deadline(timeout_s)
        self._used: list[FoundField] = []

    async def fill(self, asked: Mapping[str, Value]) -> Filled:
        """Fill in fields by words for them; TargetError if some mean no field, or several: then none is filled in."""
        fields, matched = await self._match(asked)
        filled = Filled()
        for words, places in matched.items():
            for place in places:
                self._used.append(fields[place])
                setting, is_secret = await self._set(words, fields[place], place, asked[words])
                name = fields[place].name or words
                filled.places.setdefault(words, name)
                filled.values |= {} if is_secret else {name: setting.held}
                filled.is_read &= setting.is_read
                filled.held.append(setting.held)
        filled.is_read = filled.is_read and await self._still_holds(filled.held)
        return filled

    async def _still_holds(self, held: Sequence[str]) -> bool:
        if len(held) == 1:
            return True
        fields = await self._list()
        places = [_find_again(found, fields, -1) for found in self._used]
        now = [fields[place].held if place >= 0 else None for place in places]
        told = zip(self._used, held, now, strict=True)
        return all(text == there for found, text, there in told if found.held is not None and there is not None)

    async def fill_from_page(self) -> Filled:
        """Fill in each empty field with what the page says elsewhere under its label; TargetError if one stays empty."""
        fields = [each for each in await self._list(values=True) if each.is_empty and each.names]
        unsaid = [each.name for each in fields if not each.value]
        if unsaid or not fields:
            missing = f"has no clear value for {', '.join(unsaid)}" if unsaid else "has no empty field with a label"
            raise TargetError(
                f"The page {missing}. Nothing was filled in.",
                hint="Give the values.",
                evidence={"url": self._page.url, "unmatched": unsaid},
            )
        return await self.fill({each.name: each.value for each in fields})

    async def submit(self, watch: Watch) -> tuple[str, bool]:
        """Press what sends the fields; return what it is called, and whether the page has not just swallowed that.

        Raises:
            TargetError: If nothing does, or it isn't clear what.
        """
        fields = await self._list()
        places = [place for each in self._used if (place := _find_again(each, fields, -1)) >= 0]
        button = self._page.locator(engine_selector("submitter", places=places))
        count = await count_matches(button)
        if count != 1:
            raise TargetError(
                "The fields are filled in, but which button sends them is unclear." if count
                else "The fields are filled in, but the page has no button to send them.",
                code="target_ambiguous" if count else "target_missing",
                hint="Say which button to press.",
                evidence={"url": self._page.url, "filled": [each.name for each in self._used]},
            )  # fmt: skip
        name = (await probe(button, "about"))["name"]
        await watch.run(begin_act(button).click(timeout=self._deadline.remaining_ms))
        return name, await check_sent(self._page.locator(":root"), watch) is not False

    async def _match(self, asked: Mapping[str, Value]) -> tuple[Sequence[FoundField], dict[str, list[int]]]:
        waiting = Deadline(min(allow_s(APPEARING_S), self._timeout_s / 2))
        while True:
            fields = await self._list()
            try:
                return fields, match_fields({words: str(value) for words, value in asked.items()}, fields)
            except TargetError as error:
                if waiting.is_over:
                    error.evidence["url"] = self._page.url
                    raise
            await pause(LOOK_S)

    async def _list(self, *, values: bool = False) -> list[FoundField]:
        told: list[dict[str, Any]] = await probe(self._page, "fillable", values=values)
        return [
            FoundField(tuple(each["names"]), tuple(each["marks"]), each["empty"], each["value"], each["held"])
            for each in told
        ]

    async def _set(self, words: str, found: FoundField, place: int, value: Value) -> tuple[SettingResult, bool]:
        place = _find_again(found, await self._list(), place)
        if place < 0:
            raise TargetError(
                f"The field {found.name!r} disappeared while the form was filled in.",
                code="target_detached",
                hint="Check what the page shows.",
                evidence={"url": self._page.url, "filled": [each.name for each in self._used[:-1]]},
            )
        locator = self._page.locator(engine_selector("fillable", place=place, token=secrets.token_hex(4)))
        aim = ActionTarget(locator, self._page, self._deadline.remaining_ms / 1000)
        control, setting = await set_control(aim, f'field "{found.name or words}"', value)
        return setting, bool(control.facts["secret"])


def _find_again(found: FoundField, fields: Sequence[FoundField], place: int) -> int:
    """Return where a field is now; -1 if that isn't certain."""
    tests = (
        lambda each: (each.names, each.marks) == (found.names, found.marks),
        lambda each: each.marks == found.marks and each.marks,  # hints come and go with what a field holds
        lambda each: each.names[:1] == found.names[:1] and each.names,
    )
    for test in tests:
        if same := [at for at, each in enumerate(fields) if test(each)]:
            return place if place in same else same[0] if len(same) == 1 else -1
    return -1


def match_fields(asked: Mapping[str, str], fields: Sequence[FoundField]) -> dict[str, list[int]]:
    """Return the places of the fields that words mean: first the one that is called so, then one that takes the same once more.

    Words that no field answers to mean the only empty field that is left, if they are the only such words and all others were found.
    ``target_missing`` if words mean no field, ``target_ambiguous`` if they mean several.
    """
    found: dict[str, int] = {}
    for least in range(_BEST, 0, -1):
        while step := _find_sure(asked, fields, found, least):
            found |= step
    left = [words for words in asked if words not in found]
    empty = [place for place, each in enumerate(fields) if place not in found.values() and each.is_empty]
    repeated = {place for words in found for place in _find_repeated(words, found[words], fields)}
    empty = [place for place in empty if place not in repeated]
    if len(left) == 1 and len(empty) == 1 and found and not _list_rivals(left[0], fields, found):
        found[left[0]] = empty[0]
        left = []
    if left:
        raise _refuse(left, fields, found)
    return {words: [found[words], *_find_repeated(words, found[words], fields)] for words in asked}


def _find_sure(
    asked: Mapping[str, str], fields: Sequence[FoundField], found: Mapping[str, int], least: int
) -> dict[str, int]:
    wanted = {words: _list_rivals(words, fields, found) for words in asked if words not in found}
    for words, rivals in wanted.items():
        others = [each for each, claimed in wanted.items() if each != words and claimed == rivals]
        if len(rivals) == 1 and not others and _rate(words, fields[rivals[0]]) >= least:
            return {words: rivals[0]}
    return {}


def _list_rivals(words: str, fields: Sequence[FoundField], found: Mapping[str, int]) -> list[int]:
    taken = frozenset(found.values())
    rated = [(0 if place in taken else _rate(words, each), place) for place, each in enumerate(fields)]
    best = max((rate for rate, _ in rated), default=0)
    return [place for rate, place in rated if rate == best and best]


def _rate(words: str, field: FoundField) -> int:
    said = _split(words)
    rates = [_rate_name(said, _split(name)) for name in field.names]
    rates += [_MARKED for mark in field.marks if said and all(_has_akin(each, _split(mark)) for each in said)]
    return max(rates, default=0)


def _rate_name(said: list[str], name: list[str]) -> int:
    if not said or not name:
        return 0
    if said == name:
        return _BEST
    if set(said) <= set(name):
        return _WHOLE
    akin = [each for each in said if _has_akin(each, name)]
    return _AKIN if len(akin) == len(said) else _SOME if akin else 0


def _has_akin(word: str, others: Sequence[str]) -> bool:
    return any(word == each or _is_akin(word, each) for each in others)


def _is_akin(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    if len(short) > LEAST_WORD and long.startswith(short):
        return len(long) - len(short) <= LEAST_STEM
    return len(short) > LEAST_STEM and short[:LEAST_STEM] == long[:LEAST_STEM]


def _split(text: str) -> list[str]:
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", fold_space(text))
    words = [each.casefold() for each in _WORDS.findall(_PREFIX.sub(r"\1", spaced))]
    return [each for each in words if each not in _SMALL] or words


def _find_repeated(words: str, place: int, fields: Sequence[FoundField]) -> list[int]:
    name = set(_split(fields[place].name)) or set(_split(words))
    if name & _ONCE_MORE:
        return []
    others = ((other, set(_split(each.name))) for other, each in enumerate(fields) if other != place and each.is_empty)
    return [other for other, there in others if there & _ONCE_MORE and name <= there]


def _refuse(left: Sequence[str], fields: Sequence[FoundField], found: Mapping[str, int]) -> TargetError:
    names = [each.name for each in fields]
    evidence = {"fields": names, "unmatched": list(left)}
    shown = ", ".join(f'"{name}"' for name in names if name) or "none that has a name"
    for words in left:
        rivals = _list_rivals(words, fields, found)
        if not rivals:
            continue
        several = " and ".join(f'"{names[place]}"' for place in rivals)
        unclear = f"{words!r} could mean several fields: {several}."
        return TargetError(
            f"{unclear if len(rivals) > 1 else f'{several} got more than one value.'} Nothing was filled in.",
            code="target_ambiguous",
            hint="Name the field as the page does.",
            evidence=evidence,
        )
    return TargetError(
        f"No field on this page is called {left[0]!r}. Fields: {shown}. Nothing was filled in.",
        hint="Name the fields as the page does.",
        evidence=evidence,
    )
