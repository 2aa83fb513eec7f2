"""Filling in the fields of declared pages by what they mean, by the same rules as in a real page."""

from collections.abc import Mapping

from actuators.browser.fake.documents import FIELD_ROLES, LiveElement
from actuators.browser.fake.effects import press_mouse
from actuators.browser.fake.setting import Control, find_kind, set_control
from actuators.browser.fake.turns import Turn
from actuators.browser.fake.values import find_values
from actuators.browser.field_matching import FoundField, match_fields
from core.base.errors import TargetError


def list_fields(turn: Turn) -> list[LiveElement]:
    """Return the fields that can be filled in, in the order of the page."""
    fields = (each for each in turn.document.elements if each.role in FIELD_ROLES)
    return [each for each in fields if each.is_visible and not each.disabled]


def fill_fields(turn: Turn, asked: Mapping[str, str | bool | float]) -> dict[str, list[LiveElement]]:
    """Fill in fields by words for them.

    Returns:
        The fields, by the words that meant them.

    Raises:
        TargetError: If words mean no field or several, or a field takes no value.
        InputError: If a value doesn't fit.
    """
    found, matched = _match(turn, asked)
    for words, places in matched.items():
        for place in places:
            set_control(turn, Control(find_kind(found[place]), found[place]), asked[words])
    return {words: [found[place] for place in places] for words, places in matched.items()}


def read_from_page(turn: Turn) -> dict[str, str]:
    """Return what the page shows elsewhere under the labels of its empty fields.

    Raises:
        TargetError: If it shows nothing for one of them, or there is no empty field.
    """
    fields = [each for each in list_fields(turn) if each.name and _is_empty(each)]
    others = [each for each in turn.document.elements if each.role not in FIELD_ROLES]
    values: dict[str, str] = {}
    for each in fields:
        found = find_values(each.name, others)
        if len(found) == 1:
            element, part = next(iter(found.items()))
            values[each.name] = part or element.read_text()
    unsaid = [each.name for each in fields if not values.get(each.name)]
    if unsaid or not fields:
        missing = f"has no clear value for {', '.join(unsaid)}" if unsaid else "has no empty field with a label"
        raise TargetError(
            f"The page {missing}. Nothing was filled in.",
            hint="Give the values.",
            evidence={"url": turn.document.url, "unmatched": unsaid},
        )
    return values


def press_submitter(turn: Turn, fields: list[LiveElement]) -> str:
    """Press the one button of the form that fields are in, and return what it is called.

    Raises:
        TargetError: If there is none, or there are several.
    """
    holder = next((each for each in fields[0].ancestors() if each.role == "form"), turn.document.root)
    buttons = [each for each in holder.descend() if each.role == "button" and each.is_visible]
    if len(buttons) != 1:
        raise TargetError(
            "The fields are filled in, but which button sends them is unclear.",
            code="target_ambiguous" if buttons else "target_missing",
            hint="Say which button to press.",
            evidence={"url": turn.document.url, "filled": [each.name for each in fields]},
        )
    press_mouse(turn, buttons[0], "left", 1, ())
    return buttons[0].name


def _match(turn: Turn, asked: Mapping[str, str | bool | float]) -> tuple[list[LiveElement], dict[str, list[int]]]:
    texts = {words: str(value) for words, value in asked.items()}
    while True:
        found = list_fields(turn)
        listed = [FoundField(each.names, _list_marks(each), _is_empty(each)) for each in found]
        try:
            return found, match_fields(texts, listed)
        except TargetError as error:
            if not turn.look():
                error.evidence["url"] = turn.document.url
                raise


def _list_marks(element: LiveElement) -> tuple[str, ...]:
    return tuple(filter(None, (element.declared.id, element.attribute("name"))))


def _is_empty(element: LiveElement) -> bool:
    return bool(element.declared.options) or element.kind == "range" or not element.value
