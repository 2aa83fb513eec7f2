"""From a parsed selector to a Playwright locator."""

from typing import Any

from playwright.async_api import Frame, FrameLocator, Locator, Page

from actuators.browser.playwright.page_engine import engine_selector
from core.icon_words import icon_query
from core.looks import look_query, read_look
from core.selectors import ROLE_WORDS, PlainSelector, Region, SelectorSpec

Scope = Page | Frame | FrameLocator | Locator


def build_locator(spec: SelectorSpec, root: Page | Frame) -> Locator:
    """Return the locator of a selector; nothing is looked up yet.

    Args:
        spec: The parsed selector.
        root: Page or frame to look in.
    """
    scope: Page | Frame | FrameLocator = root
    for name in spec.frames:
        scope = scope.frame_locator(engine_selector("frame", name=name))
    return scope.locator(spec.core) if isinstance(spec.core, str) else _build_plain(spec.core, scope)


def build_in_row(spec: SelectorSpec, row: Locator) -> Locator:
    """Return the locator of a selector relative to an element.

    Args:
        spec: The parsed selector.
        row: Element to look in.
    """
    scope: Locator | FrameLocator = row
    for name in spec.frames:
        scope = scope.frame_locator(engine_selector("frame", name=name))
    return scope.locator(spec.core) if isinstance(spec.core, str) else _build_plain(spec.core, scope)


def describe_form(plain: PlainSelector) -> dict[str, Any]:
    """Return the engine's question for the form of a selector, without its modifiers."""
    match plain.kind:
        case "look":
            return {"op": "look", **look_query(read_look(plain.name))}
        case "icon":
            return {"op": "icon", **icon_query(plain.name)}
        case _:
            return {"op": plain.kind, "name": plain.name, "roles": plain.roles}


def _build_plain(plain: PlainSelector, scope: Scope) -> Locator:
    if plain.kind == "ref":
        return scope.locator(f"aria-ref={plain.name}")
    for region in reversed(plain.regions):
        scope = _region_locator(region, scope)
    if plain.kind == "testid":
        found = scope.get_by_test_id(plain.name)
    else:
        found = scope.locator(engine_selector(**describe_form(plain)))
    return found if plain.nth is None else found.nth(plain.nth - 1)


def _region_locator(region: Region, scope: Scope) -> Locator:
    return scope.locator(engine_selector("region", name=region.name, roles=ROLE_WORDS.get(region.word, ())))
