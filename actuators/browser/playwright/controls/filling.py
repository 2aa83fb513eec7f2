"""Filling in the fields of a page by what they mean."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import Page

from actuators.browser.playwright.acting.concluding import check_sent
from actuators.browser.playwright.controls.controls import SettingResult
from actuators.browser.playwright.controls.field_matching import FoundField, match_fields
from actuators.browser.playwright.controls.setting import set_control
from actuators.browser.playwright.engine.scripts import engine_selector
from actuators.browser.playwright.finding.actionability import ActionTarget, begin_act
from actuators.browser.playwright.finding.probes import count_matches, probe
from actuators.browser.playwright.session.watches import Watch
from actuators.browser.ports.acts import Value
from actuators.deadlines import Deadline, allow_s, pause
from core.base.errors import TargetError

APPEARING_S = 5.0
LOOK_S = 0.1


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
