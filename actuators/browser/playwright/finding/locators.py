"""From a parsed selector to a Playwright locator."""

from collections.abc import Mapping, Sequence
from typing import Any

from playwright.async_api import Frame, FrameLocator, Locator, Page

from actuators.browser.playwright.engine.scripts import engine_selector
from core.selectors.icon_words import icon_query
from core.selectors.selectors import (
    REVEALED,
    ROLE_WORDS,
    Placement,
    PlainSelector,
    Region,
    SelectorSpec,
    render_selector,
)
from core.selectors.visual_descriptions import is_look, read_visual_description, visual_query

Scope = Page | Frame | FrameLocator | Locator


def build_locator(spec: SelectorSpec, root: Page | Frame) -> Locator:
    """Return the locator of a selector in a page or frame; nothing is looked up yet."""
    scope = step_in(spec, root)
    return scope.locator(spec.core) if isinstance(spec.core, str) else _build_plain(spec.core, scope)


def build_in_row(spec: SelectorSpec, row: Locator) -> Locator:
    """Return the locator of a selector relative to an element."""
    scope = step_in(spec, row)
    return scope.locator(spec.core) if isinstance(spec.core, str) else _build_plain(spec.core, scope)


def describe_form(plain: PlainSelector) -> dict[str, Any]:
    """Return the engine's question for the form of a selector, without its modifiers."""
    match plain.kind:
        case "look":
            return _describe_look(plain.name)
        case "icon":
            return {"op": "icon", **icon_query(plain.name)}
        case _:
            return {"op": plain.kind, "name": plain.name, "roles": plain.roles}


def _describe_look(words: str) -> dict[str, Any]:
    return {"op": "look", **visual_query(read_visual_description(words))}


def build_whole(spec: SelectorSpec, root: Page | Frame) -> Locator | None:
    """Return the locator of what has exactly the name or text of a selector, hidden or not; None where its kind decides that itself."""
    if not isinstance(spec.core, PlainSelector) or spec.core.kind not in {"text", "control"}:
        return None
    form = _describe_plain(spec.core) | {"query": {"op": "whole", "name": spec.core.name}}
    return step_in(spec, root).locator(engine_selector("plain", form=form))


def build_held(spec: SelectorSpec, root: Page | Frame, token: str, place: int) -> Locator:
    """Return the locator of one of several elements that were found before, by its place from 0; also where the page has made it anew."""
    return step_in(spec, root).locator(engine_selector("held", token=token, at=place, form=_write_form(spec)))


def build_holding(spec: SelectorSpec, root: Page | Frame, token: str) -> Locator:
    """Return the locator of several elements, which keeps those that it finds for ``build_held``."""
    return step_in(spec, root).locator(engine_selector("hold", token=token, form=_write_form(spec)))


def step_in(spec: SelectorSpec, root: Scope) -> Scope:
    """Return where the last of a selector's frames is looked into, from where its first one is; nothing is looked up yet."""
    for name in spec.frames:
        root = root.frame_locator(engine_selector("frame", name=name))
    return root


def _build_plain(plain: PlainSelector, scope: Scope) -> Locator:
    if plain.kind == "ref" and plain.name == REVEALED:
        return scope.locator(engine_selector("revealed"))
    if plain.kind == "ref":
        return scope.locator(engine_selector("ref", name=plain.name))
    return scope.locator(engine_selector("plain", form=_describe_plain(plain)))


def _write_form(spec: SelectorSpec) -> dict[str, Any]:
    return _describe_plain(spec.core) if isinstance(spec.core, PlainSelector) else {}


def _describe_plain(plain: PlainSelector) -> dict[str, Any]:
    looks = [each for each in plain.exceptions if is_look(each)] if plain.kind == "look" else []
    return {
        "query": describe_form(plain),
        "regions": [{**_describe_part(each), "roles": ROLE_WORDS.get(each.word, ())} for each in plain.regions],
        "nth": plain.nth,
        "quantity": plain.quantity,
        "texts": plain.texts,
        "exceptions": [each for each in plain.exceptions if each not in looks],
        "unlike": [_describe_look(each) for each in looks],
        "likes": plain.likes,
        "spot": plain.spot and {"row": plain.spot.row, "column": plain.spot.column},
        "placements": [{"relation": each.relation, **_describe_part(each)} for each in plain.placements],
        "ranking": plain.ranking and {"order": plain.ranking.order, "label": plain.ranking.label},
    }


def _describe_part(part: Region | Placement) -> dict[str, Any]:
    return {"name": part.name, "form": _describe_plain(part.selector) if part.selector else None}


PlainForm = Mapping[str, Any]


def read_form(form: PlainForm) -> PlainSelector:
    """Return the plain selector that the engine has named an element by (``Plain`` in ``engine/types.d.ts``)."""
    return PlainSelector(
        form["kind"],
        form["name"],
        form["word"],
        tuple(Region(each["name"], each["word"], _read_inner(each)) for each in form["regions"]),
        form["nth"],
        placements=tuple(Placement(each["relation"], each["name"], _read_inner(each)) for each in form["placements"]),
        texts=tuple(form["texts"]),
    )


def write_form(form: PlainForm | None, frames: Sequence[str] = ()) -> str:
    """Write the selector that the engine has named an element by, in these frames, the outermost first; empty where it has none."""
    return render_selector(SelectorSpec("", read_form(form), tuple(frames))) if form else ""


def _read_inner(part: PlainForm) -> PlainSelector | None:
    inner = part.get("selector")
    return read_form(inner) if inner else None
