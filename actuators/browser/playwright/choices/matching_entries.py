"""Which of the things to choose is meant, and whether a widget shows that it is chosen; without a page."""

import re
from collections.abc import Sequence
from typing import Any

from actuators.browser.playwright.choices.offers import Entry, Offer, Wanted
from core.base.matching import fold_space

_BETWEEN = re.compile(r"\s+(?:>|\u203a|\u00bb|\u2192|/)\s+")
_MAKING = re.compile(r"^\W*(?:add|create|new|use)\b", re.IGNORECASE)


class Named(str):
    """An option's label or value, and never its place."""

    __slots__ = ()


def write_wanted(wanted: Wanted) -> str:
    """Return what is wanted as a text: a number is a place only where nothing is called so."""
    return wanted if isinstance(wanted, str) else str(wanted)


def split_path(wanted: Wanted, labels: Sequence[str]) -> list[Wanted]:
    """Return the steps to something below others: "Europe > Norway"; a whole that is offered as it stands is one step."""
    if isinstance(wanted, int) or wanted in labels:
        return [wanted]
    return list(_BETWEEN.split(wanted))


def find_option(options: Sequence[dict[str, Any]], wanted: str) -> int | None:
    """Return the place of an option of a native control: by exact label, by value, by label in any case."""
    folded = fold_space(wanted)
    tests = (
        lambda each: each["label"] == folded,
        lambda each: each["value"] == wanted,
        lambda each: each["label"].casefold() == folded.casefold(),
    )
    return next((place for test in tests for place, each in enumerate(options) if test(each)), None)


def is_place(wanted: str, places: int) -> bool:
    """Tell whether a text may be the number of one of so many things."""
    return wanted.isdecimal() and not isinstance(wanted, Named) and int(wanted) < places


def find_entry(entries: Sequence[Entry], wanted: Wanted, start: int = 0) -> int | None:
    """Return the place of what is meant, first from the start on: by label, text in it, value, label in any case, fuller label, or number."""
    is_number, wanted = isinstance(wanted, int), write_wanted(wanted)
    folded = fold_space(wanted)
    places = [*range(start, len(entries)), *range(min(start, len(entries)))]
    tests = (
        lambda each: each.label == folded,
        lambda each: folded in each.texts,
        lambda each: each.value == wanted,
        lambda each: any(text.casefold() == folded.casefold() for text in each.texts),
    )
    found = next((place for test in tests for place in places if test(entries[place])), None)
    if found is not None:
        return found
    fuller = [] if is_number else [place for place in places if is_fuller(entries[place].label, wanted)]
    if len(fuller) == 1 and not is_making(entries[fuller[0]].label, wanted):
        return fuller[0]
    return int(wanted) if is_place(wanted, len(entries)) else None


def find_making(entries: Sequence[Entry], text: str) -> int | None:
    """Return the place of what makes a new one of a text: Create "red"."""
    found = [place for place, each in enumerate(entries) if not each.disabled and is_making(each.label, text)]
    return found[0] if len(found) == 1 else None


def is_making(label: str, text: str) -> bool:
    """Whether an entry offers to make a new one of a text."""
    said = re.escape(fold_space(text))
    quoted = re.search(rf"[\"'\u201c\u201e\u2018\u00ab]\s*{said}\s*[\"'\u201d\u201c\u2019\u00bb]", label, re.IGNORECASE)
    return bool(quoted) or bool(_MAKING.search(label) and re.search(rf"{said}\W*$", label, re.IGNORECASE))


def is_fuller(label: str, text: str) -> bool:
    """Whether a label is the same thing with more said of it: "Oslo, Norway (OSL)" for "Oslo" and for "OSL"."""
    said = re.escape(fold_space(text))
    return re.search(rf"(?:^|[^\w\s]\s*){said}\s*(?:[^\w\s]|$)", fold_space(label), re.IGNORECASE) is not None


def shows(offer: Offer, texts: Sequence[str]) -> bool:
    """Whether a widget shows one of the texts as what it holds."""
    wanted = [text.casefold() for text in texts if text]
    there = [text.casefold() for text in (*offer.shown, *(offer.model or ()))]
    return any(_says(text, each) for each in wanted for text in there)


def _says(text: str, wanted: str) -> bool:
    """Whether a text is the wanted one, or holds it between signs: Go, Rust."""
    return text == wanted or re.search(rf"(?:^|[^\w\s]\s*|\n){re.escape(wanted)}\s*(?:[^\w\s]|\n|$)", text) is not None


def is_marked(offer: Offer, label: str) -> bool | None:
    """Whether what is called so is marked as chosen; None where it is not offered, or says nothing of that."""
    found = [each.selected for each in offer.entries if each.label == label]
    return found[0] if found else None
