"""Putting texts and secrets into fields, whether they kept them, and whether the page has taken them: some wait for a choice, some until they are left."""

import json
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from playwright.async_api import ElementHandle
from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.controls.calendars import is_open
from actuators.browser.playwright.controls.controls import is_same_number
from actuators.browser.playwright.direct.world import DIRECT_SHARE, find_place, hear_reports
from actuators.browser.playwright.engine.scripts import engine_selector
from actuators.browser.playwright.finding.causes import unless_gone
from actuators.browser.playwright.finding.probes import LEAST_MS, probe
from actuators.browser.playwright.finding.settling import (
    UNSETTLED,
    SettledReading,
    after,
    follow,
    read_handle_settled,
    read_settled,
    read_settled_or,
)
from actuators.deadlines import Deadline, allow_s
from core.base.errors import ActionError
from core.base.matching import describe_difference
from core.base.moments import is_timely
from core.goals.secret_values import Secret
from core.rules.browser_choices import TypingMode
from core.tools.ports import ActionContext

if TYPE_CHECKING:
    from actuators.browser.playwright.filming.videos import TraceDesk
    from actuators.browser.playwright.finding.actionability import ActionTarget

TypingVerdict = Literal["same", "reformatted", "different"]

# What fields put between groups of characters by themselves: card numbers, telephone numbers, dates.
_SEPARATORS = re.compile(r"[\s()/]+|(?<=\w)[\s-]+(?=\w)")
_NO_WORDS = re.compile(r"[\W_]+")
_CODE = re.compile(r"\+|0\d")  # the beginning of what is no amount: a telephone number, a post code
_HEX = re.compile(r"#[0-9a-fA-F]{6}")
_GROUPED_KINDS = frozenset({"text", "tel", "search"})


def judge_value(kind: str, wanted: str, kept: str) -> TypingVerdict:
    r"""Compare what was typed with what a field holds.

    Args:
        kind: Type of the field: an input's type, ``textarea`` or ``editable``.

    Returns:
        ``same``: equal, where ``\r\n`` counts as ``\n``, colours have no case, and rich text keeps spaces and its last
        line end in its own way; ``reformatted``: only white space, brackets, hyphens or slashes were put in or taken
        out, in rich text all but letters and digits, as lists and brackets are completed there, or it is the same number with
        marks and a unit, or the same colour in other digits; ``different``.
    """
    if _normalise(kind, wanted) == _normalise(kind, kept):
        return "same"
    bare = _SEPARATORS.sub("", wanted)
    if kind in _GROUPED_KINDS and bare and bare == _SEPARATORS.sub("", kept) and "\n" not in wanted:
        return "reformatted"
    words = _NO_WORDS.sub("", wanted)
    if kind == "editable" and words and words == _NO_WORDS.sub("", kept):
        return "reformatted"
    is_colour = bool(_HEX.fullmatch(wanted)) and kept.lower().removeprefix("#") == wanted[1:].lower()
    is_number = is_same_number(wanted, kept) and not _CODE.match(wanted.strip())
    if kind in _GROUPED_KINDS and (is_colour or is_number):
        return "reformatted"
    return "different"


def judge_addition(kind: str, before: str, text: str, kept: str) -> TypingVerdict:
    """Compare what was added to a field with what it holds.

    Rich text that ends with it is ``reformatted``: some editors have only the lines in sight on the page.
    """
    if kind != "editable":
        return judge_value(kind, before + text, kept)
    verdicts: list[TypingVerdict] = [
        judge_value(kind, start + text, kept) for start in (before.removesuffix("\n"), before)
    ]
    if "same" in verdicts:
        return "same"
    is_at_end = bool(text.strip()) and _normalise(kind, kept).rstrip().endswith(_normalise(kind, text).strip())
    return "reformatted" if is_at_end else verdicts[0]


def differing_value(selector: str, wanted: str, held: dict[str, Any]) -> ActionError:
    """Return the error for a field that kept something else; secrets appear in it by their length only."""
    kept: str = held["value"]
    evidence: dict[str, Any] = {"selector": selector, "kind": held["kind"]}
    evidence |= {"kept_length": len(kept), "length": len(wanted)}
    if held["secret"]:
        difference = f"{len(wanted)} characters were typed, it holds {len(kept)}"
    else:
        difference = describe_difference(wanted, kept)
        evidence |= {"expected": wanted, "actual": kept}
    message = f"{selector} did not keep what was typed: {difference}.{_tell_limit(held, len(wanted))}"
    hint = "The page changes or limits this field; type what it accepts."
    return ActionError(message, code="value_differs", hint=hint, evidence=evidence).after_act()


def differing_secret(selector: str, secret: Secret, held: dict[str, Any]) -> ActionError:
    """Return the error for a field that kept something else than a secret; nothing is said of either."""
    message = f"{selector} did not keep {secret} as it was typed.{_tell_limit(held)}"
    hint = "The page changes or limits this field; check that it is the right one."
    evidence = {"selector": selector, "kind": held["kind"], "secret": secret.name}
    return ActionError(message, code="value_differs", hint=hint, evidence=evidence).after_act()


def _tell_limit(held: dict[str, Any], length: float = math.inf) -> str:
    limit = held.get("maxlength", -1)
    return f" It takes at most {limit} characters." if 0 <= limit < length else ""


def _normalise(kind: str, text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if kind == "color":
        return text.strip().lower()
    if kind == "editable":
        return text.replace("\u00a0", " ").removesuffix("\n")
    return text


NOT_TAKEN = "not_taken"
EMPTIED = "emptied"
GONE = {"field_gone": True}


def tell_untaken(held: dict[str, Any]) -> dict[str, Any]:
    """Return the evidence that the page has not taken yet what a field holds; empty where nothing speaks against it."""
    return {NOT_TAKEN: "open" if held["untaken"] == "open" else "left"} if held["untaken"] else {}


async def bring_home(
    aim: "ActionTarget", selector: str, text: str, reading: SettledReading, facts: dict[str, Any]
) -> dict[str, Any]:
    """Return the evidence of a typed text with whether the page has taken it.

    A field that counts only once it is left is left, and gone back to; ``value_differs`` if it has another text then.
    """
    held = reading.held
    if held["untaken"] == "open" or (is_timely(text) and await is_open(aim)):
        return facts | {NOT_TAKEN: "open"}
    if not held["untaken"] or UNSETTLED in facts:
        return facts
    if held["untaken"] == "left" or not await probe(aim.locator, "lookAway"):
        return facts | {NOT_TAKEN: "left"}
    return facts | await _read_again(aim, selector, held)


async def hold_on(aim: "ActionTarget", *, is_last: bool, what: str = "control") -> dict[str, Any]:
    """Look again at what was read back, once all has gone off that the act has set for the next second.

    Only where nothing follows in the run; else nobody is kept waiting. Returns evidence if it is not over then;
    ActionError if the page has taken it back. ``control`` or ``tick`` is the probe that tells its state.
    """
    told = await unless_gone(follow(aim.locator, what), None) if is_last else None
    if told is None:  # or it is gone, and what was read before is what is known
        return {}
    before, now = (_write_state(each) for each in (told[0], told[1].held))
    if before != now and judge_value("text", before, now) == "different":
        raise ActionError(
            f"The page took it back: it held {before!r}, and holds {now!r} now.",
            code="state_not_kept" if what == "tick" else "value_differs",
            hint="Check what the page needs first.",
            evidence={"url": aim.page.url, "expected": before, "actual": now},
        ).after_act()
    return told[1].evidence


def _write_state(held: dict[str, Any] | None) -> str:
    if held is None:
        return ""
    return held["held"] if "held" in held else "ticked" if held["checked"] else "not ticked"


async def _read_again(aim: "ActionTarget", selector: str, before: dict[str, Any]) -> dict[str, Any]:
    reading = await unless_gone(read_settled(aim.locator, "value"), None)
    if reading is None:  # the page has taken the field away, and its text with it
        return GONE
    text: str = reading.held["value"]
    verdict = judge_value(before["kind"], before["value"], text)
    if verdict == "different" and text:
        raise differing_value(selector, before["value"], reading.held)
    told = {} if before["secret"] else {"value": text}
    return told | ({EMPTIED: True} if verdict == "different" else {}) | reading.evidence


@dataclass(frozen=True, slots=True)
class FieldEntry:
    """What goes into a field; the last where nothing else follows by which the page would take it."""

    selector: str
    text: str
    mode: TypingMode = "replace"
    is_last: bool = False


async def enter_text(aim: "ActionTarget", entry: FieldEntry) -> dict[str, Any]:
    """Type a text and read it back; return the evidence, or ActionError if the field kept something else."""
    before, first = await _type_text(aim, entry)
    wanted = before + entry.text

    def lacks_key(held: dict[str, Any]) -> bool:  # the page listens to keys, and the text was put in at once
        return entry.mode != "keys" and bool(held and held["keyed"]) and held["value"] == wanted

    try:
        reading = await read_settled_or(aim.locator, "value", lacks_key, first)
        if lacks_key(reading.held):
            await _repeat_last(aim)
            reading = await read_settled(aim.locator, "value")
        if entry.mode == "replace" and _lacks_lines(entry.text, reading.held):
            reading = await _type_lines(aim, entry.text)
    except PlaywrightError:  # the page has taken the field away, as editors in place do
        return {"length": len(wanted), **GONE}
    held = reading.held
    verdict = judge_addition(held["kind"], before, entry.text, held["value"])
    if verdict == "different":
        raise differing_value(entry.selector, wanted, held)
    facts = _describe(held, wanted, verdict) | reading.evidence
    return await bring_home(aim, entry.selector, entry.text, reading, facts) if entry.is_last else facts


async def enter_secret(
    aim: "ActionTarget", entry: FieldEntry, secret: Secret, context: ActionContext, traces: "TraceDesk"
) -> dict[str, Any]:
    """Type what a secret stands for and read it back; return evidence that doesn't tell it.

    The address that decides whether the secret may be given is that of the document which the element is in, and the
    element stays the same from there on: a page that changes meanwhile gets nothing. What is recorded of the context
    ends first. PolicyError if the secret is for pages of other hosts, ActionError if the field kept something else.
    """
    field = await aim.locator.element_handle(timeout=aim.take_ms())
    try:
        frame = await field.owner_frame()
        withheld = await traces.withhold(aim.page.context)
        value = await context.vault.reveal(secret, frame.url if frame else "about:blank")
        await field.query_selector(engine_selector("act"))
        await _ask(field, "hold")
        wanted = await _type_secret(aim, field, value, entry.mode)
        evidence: dict[str, Any] = {"secret": secret.name} | ({"trace": withheld} if withheld else {})
        reading = await unless_gone(read_handle_settled(field, "value"), None)
        if reading is None:  # the page has taken it away, or went elsewhere
            return evidence | GONE
        if judge_value(reading.held["kind"], wanted, reading.held["value"]) == "different":
            raise differing_secret(entry.selector, secret, reading.held)
        return evidence | {"matches": True} | reading.evidence
    finally:
        await field.dispose()


async def _type_text(aim: "ActionTarget", entry: FieldEntry) -> tuple[str, str | None]:
    """Type; return what the field held that stays before it, and what was told of the field at once."""
    text = entry.text
    if entry.mode == "replace":
        limit = Deadline(allow_s(aim.take_ms() / 1000))
        was_written, first = await _write_directly(aim, text, limit.remaining_ms)
        if not was_written:
            await aim.begun.fill(text, timeout=max(limit.remaining_ms, LEAST_MS))
        return "", first
    held = await probe(aim.begun, "caretToEnd", aim.take_ms())
    before: str = held["value"]
    if entry.mode == "keys":
        await aim.locator.press_sequentially(text, timeout=aim.take_ms())
    elif held["kind"] == "editable":
        await aim.page.keyboard.insert_text(text)
    else:
        await aim.insist(lambda left_ms: aim.locator.fill(before + text, timeout=left_ms))
    return before, None


def _lacks_lines(text: str, held: dict[str, Any]) -> bool:
    # Editors that keep their text themselves make one line of several.
    return held["kind"] == "editable" and "\n" in text.strip() and "\n" not in held["value"].strip()


async def _type_lines(aim: "ActionTarget", text: str) -> SettledReading:
    first, *rest = _normalise("editable", text).split("\n")
    await aim.locator.fill(first, timeout=aim.take_ms())
    for line in rest:
        await read_settled(aim.locator, "value")
        await aim.page.keyboard.press("Shift+Enter")
        await read_settled(aim.locator, "value")
        await aim.page.keyboard.insert_text(line)
    return await read_settled(aim.locator, "value")


async def _write_directly(aim: "ActionTarget", text: str, limit_ms: float) -> tuple[bool, str | None]:
    """Put a text in the place of what a field of lines holds, as its own document does.

    Returns whether that was done, or begun before the page went elsewhere; and what was told of the field at once.
    """
    place = await find_place(aim.locator) if text else None
    if place is None:
        return False, None
    way = {"value": text, "limit_ms": limit_ms * DIRECT_SHARE, "then": [*place.parts, after("value")]}
    with hear_reports() as (token, begun):
        try:
            told = await place.order("write", limit_ms, token=token, **way)
        except PlaywrightError:
            if not begun:
                raise
            return True, None
    return told is not None, told.get("then") if told else None


async def _repeat_last(aim: "ActionTarget") -> None:
    key: str = await probe(aim.locator, "repeatLast", aim.take_ms())
    if key:  # it leaves the field as it is, and what listens to keys looks at the field
        await aim.page.keyboard.press(key)


async def _type_secret(aim: "ActionTarget", field: ElementHandle, value: str, mode: TypingMode) -> str:
    """Type and return what the field should hold now; another frame that takes the focus meanwhile gets nothing of it."""
    await field.wait_for_element_state("visible", timeout=aim.take_ms())
    await field.wait_for_element_state("editable", timeout=aim.take_ms())
    held = await _ask(field, "caretToEnd")
    before: str = "" if mode == "replace" else held["value"]
    if mode == "keys":
        await _press_keys(aim, field, value)
        return before + value
    before = before.removesuffix("\n") if held["kind"] == "editable" else before
    await _ask(field, "enter", value=before + value)
    return before + value


async def _press_keys(aim: "ActionTarget", field: ElementHandle, value: str) -> None:
    for char in value:
        found = await _ask(field, "focused")
        if not (found["focused"] and found["in_focus"]):
            return  # the browser sends keys to whatever has the focus
        await field.type(char, timeout=aim.take_ms())


async def _ask(field: ElementHandle, what: str, **options: Any) -> Any:
    paper = await field.query_selector(engine_selector("probe", what=what, options=options))
    return json.loads(await paper.text_content() or "null") if paper else None


def _describe(held: dict[str, Any], wanted: str, verdict: TypingVerdict) -> dict[str, Any]:
    length = len(held["value"])
    if held["secret"]:
        return {"matches": verdict == "same", "length": length}
    return {"value": held["value"]} | ({"reformatted_from": wanted} if verdict == "reformatted" else {"length": length})
