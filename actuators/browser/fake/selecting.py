"""Finding elements on the fake browser's documents, by the same rules of naming as in a real page."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rapidfuzz import fuzz, process, utils

from actuators.browser.fake.documents import (
    CONTROL_ROLES,
    FIELD_ROLES,
    REGION_ROLES,
    ROW_ROLES,
    Document,
    LiveElement,
)
from actuators.browser.fake.literals import compile_literal
from actuators.browser.fake.looks import find_icons, find_looks, find_unnamed, list_icons, list_looks
from actuators.browser.fake.modifiers import apply_modifiers
from actuators.browser.fake.records import find_records
from actuators.browser.fake.values import find_values, list_valued
from actuators.browser.several import tell_weaker
from core.base.control_words import CONTROL_NAMES
from core.base.errors import TargetError
from core.base.matching import fold_space
from core.selectors.selectors import (
    ROLE_WORDS,
    PlainSelector,
    Region,
    SelectorSpec,
    list_weaker,
    narrow_plain,
    quote_name,
    render_plain,
    render_selector,
)

NEAREST = 5
LEAST_SCORE = 60.0

# What people say of things to press that their authors gave no role.
_PRESSED_ROLES = frozenset({"button", "link", "tab", "menuitem", "option"})

Elements = list[LiveElement]
Names = Callable[[LiveElement], Iterable[str]]


def find_matches(spec: SelectorSpec, document: Document, within: LiveElement | None = None) -> Elements:
    """Return all elements that a selector matches now, in the order of the page.

    Args:
        spec: The parsed selector.
        document: Where to look.
        within: Look only in this element.

    Raises:
        UnsupportedError: If it is a literal selector that the fake doesn't understand.
    """
    for frame in spec.frames:
        inner = _find_frame(frame, document)
        if inner is None:
            return []
        document, within = inner, None
    elements = [each for each in document.elements if within is None or within in each.ancestors()]
    for each in elements:
        each.part = ""
    if isinstance(spec.core, str):
        return compile_literal(spec.core)(elements)
    return _find_plain(spec.core, elements, document)


def find_anywhere(spec: SelectorSpec, document: Document) -> Elements:
    """Return the matches in the document; of a control or field also those in its frames, if it has none itself."""
    found = find_matches(spec, document)
    if found or not spec.searches_frames:
        return found
    return [each for frame in document.frames for each in find_matches(spec, frame)]


def explain_missing(spec: SelectorSpec, document: Document, waited_s: float) -> TargetError:
    """Return the error for a selector without a match; names what is nearest to it."""
    evidence: dict[str, Any] = {"selector": spec.source, "url": document.url, "waited_s": round(waited_s, 3)}
    named = spec.source.strip()
    if isinstance(spec.core, PlainSelector) and spec.core.kind == "ref":
        return TargetError(
            f"{named} no longer exists on this page; refs expire when the page changes.",
            hint="Take a new snapshot and use its refs.",
            evidence=evidence,
        )
    weaker = _count_weaker(spec, document)
    nearest = find_nearest(spec, document)
    lines = "; ".join(f"{each['role']} {quote_name(each['name'])}" for each in nearest)
    return TargetError(
        f"Nothing matches {named}; waited {waited_s:.1f} s.{tell_weaker(weaker)}"
        + (f" The nearest are: {lines}." if nearest else ""),
        hint=f"Did you mean {nearest[0]['selector']}?" if nearest else "Take a snapshot to see what is on the page.",
        evidence=evidence | {"nearest": nearest, "without": weaker, "frames": [frame.url for frame in document.frames]},
    )


def _count_weaker(spec: SelectorSpec, document: Document) -> dict[str, int]:
    """Return how many elements would match without each of the selector's parts, by how that part is written."""
    forms = list_weaker(spec.core) if isinstance(spec.core, PlainSelector) else []
    return {part: len(find_matches(SelectorSpec("", form, spec.frames), document)) for part, form in forms}


def explain_ambiguous(spec: SelectorSpec, found: Sequence[LiveElement], waited_s: float) -> TargetError:
    """Return the error for a selector with several matches; lists them, each with a selector of its own."""
    matches: list[dict[str, Any]] = [
        each.describe() | {"in": _place_of(each), "visible": each.is_visible} for each in found
    ]
    for number, match in enumerate(matches, 1):
        match["selector"] = _narrow(spec, number)
    shown = "; ".join(f"{number}) {each['role']} {quote_name(each['name'])}" for number, each in enumerate(matches, 1))
    return TargetError(
        f"{spec.source.strip()} matches {len(matches)} elements: {shown}.",
        code="target_ambiguous",
        hint=f"Name one of them, for example: {matches[0]['selector']}" if matches[0]["selector"] else "Name a region with in.",
        evidence={
            "selector": spec.source, "url": found[0].document.url, "waited_s": round(waited_s, 3),
            "matches": matches[:20], "count": len(matches),
        },
    )  # fmt: skip


def _find_plain(plain: PlainSelector, elements: Elements, document: Document) -> Elements:
    if plain.kind == "ref":
        found = document.refs.get(plain.name)
        return [found] if found in elements else []
    for region in reversed(plain.regions):
        holders = _find_part(region, elements, document)
        elements = [each for each in elements if any(holder in each.ancestors() for holder in holders)]
    found = _FINDERS.get(plain.kind, _find_roles)(plain, elements)
    return apply_modifiers(plain, found, elements, lambda part, among: _find_plain(part, among, document))


def _find_part(region: Region, elements: Elements, document: Document) -> Elements:
    if region.selector is not None:
        return _find_plain(region.selector, elements, document)
    return _find_regions(region, elements)


def _find_roles(plain: PlainSelector, elements: Elements) -> Elements:
    found = _by_name(plain.name, [each for each in elements if each.role in plain.roles], _names_of)
    return found or (find_unnamed(plain.name, elements) if _PRESSED_ROLES & set(plain.roles) else [])


def _find_controls(plain: PlainSelector, elements: Elements) -> Elements:
    controls = [each for each in elements if each.role in CONTROL_ROLES or each.kind == "file"]
    found = _by_name(plain.name, controls, _names_of)
    if found or not plain.name:
        return found
    read = _find_texts(plain, elements)
    is_exact = any(_key(each.read_text()) == _key(plain.name) for each in read)
    return read if is_exact else find_unnamed(plain.name, elements) or _find_alike(plain.name, controls) or read


def _find_alike(name: str, controls: Elements) -> Elements:
    """Return the control that does what was asked for under another name; the likeliest that there is."""
    for other in CONTROL_NAMES.get(_key(name), ()):
        if found := [each for each in controls if each.is_visible and other in {_key(one) for one in _names_of(each)}]:
            return found
    return []


def _find_fields(plain: PlainSelector, elements: Elements) -> Elements:
    fields = [each for each in elements if each.role in FIELD_ROLES or each.kind == "file"]
    found = _by_name(plain.name, fields, _names_of)
    spellings = {joint.join(_key(plain.name).replace("-", " ").split()) for joint in ("", " ", "-", "_")}
    for attributes in (("name", "id", "autocomplete"), ("type",)):
        found = found or _prefer_visible(
            [each for each in fields if spellings & {(each.attribute(name) or "").lower() for name in attributes}]
        )
    return found


def _find_texts(plain: PlainSelector, elements: Elements) -> Elements:
    wanted = _key(plain.name)
    holding = [each for each in elements if wanted in _key(each.read_text())]
    exact = [each for each in holding if _key(each.read_text()) == wanted]
    stages = [
        [each for each in exact if each.is_visible],
        [each for each in holding if each.is_visible],
        exact,
        holding,
    ]
    return next((_innermost(stage) for stage in stages if stage), [])


def _find_labelled(plain: PlainSelector, elements: Elements) -> Elements:
    return _by_name(plain.name, elements, lambda each: [each.declared.name])


def _find_placeholders(plain: PlainSelector, elements: Elements) -> Elements:
    return _by_name(plain.name, elements, lambda each: [each.attribute("placeholder") or ""])


def _find_values(plain: PlainSelector, elements: Elements) -> Elements:
    found = find_values(plain.name, elements)
    for each, part in found.items():
        each.part = part
    return list(found)


def _find_test_ids(plain: PlainSelector, elements: Elements) -> Elements:
    return [each for each in elements if each.attribute("data-testid") == plain.name]


_FINDERS: dict[str, Callable[[PlainSelector, Elements], Elements]] = {
    "control": _find_controls,
    "field": _find_fields,
    "text": _find_texts,
    "value": _find_values,
    "icon": lambda plain, elements: find_icons(plain.name, elements),
    "look": lambda plain, elements: find_looks(plain.name, elements),
    "record": lambda plain, elements: find_records(plain.name, elements),
    "label": _find_labelled,
    "placeholder": _find_placeholders,
    "testid": _find_test_ids,
}


def _by_name(name: str, elements: Elements, names: Names) -> Elements:
    """Return the elements with exactly that name, else those that have it in theirs; visible ones where there are."""
    if not name:  # any element of that kind, within a region
        return _prefer_visible(elements)
    wanted = _key(name)
    keyed = [(each, [_key(text) for text in names(each) if text]) for each in elements]
    exact = _as_spelled(name, [each for each, keys in keyed if wanted in keys], names)
    found = exact or [each for each, keys in keyed if any(wanted in key for key in keys)]
    return _prefer_visible(_innermost(found))


def _as_spelled(name: str, found: Elements, names: Names) -> Elements:
    """Of what differs in capitals only, return what is spelled as it was said."""
    same = [each for each in found if any(fold_space(text) == fold_space(name) for text in names(each) if text)]
    return same if any(each.is_visible for each in same) else found


def _names_of(element: LiveElement) -> Iterable[str]:
    return element.names


def _key(text: str) -> str:
    return fold_space(text).lower().rstrip(" :*") or fold_space(text).lower()


def _prefer_visible(found: Elements) -> Elements:
    return [each for each in found if each.is_visible] or found


def _innermost(found: Elements) -> Elements:
    outer = {id(ancestor) for each in found for ancestor in each.ancestors()}
    return [each for each in found if id(each) not in outer]


def _find_regions(region: Region, elements: Elements) -> Elements:
    roles = ROLE_WORDS.get(region.word, ())
    fitting = [each for each in elements if not roles or each.role in roles]
    wanted = _key(region.name)
    containers = [each for each in fitting if each.role in REGION_ROLES]
    rows = [each for each in fitting if each.role in ROW_ROLES]
    return (
        [each for each in containers if wanted in (_key(each.name), *map(_key, _headings_in(each)))]
        or _innermost([each for each in rows if any(wanted == _key(cell.read_text()) for cell in each.descend())])
        or [each for each in containers if wanted in _key(each.name)]
        or _innermost([each for each in rows if wanted in _key(each.read_text())])
    )


def _headings_in(element: LiveElement) -> list[str]:
    return [each.read_text() for each in element.children if each.role == "heading"]


def _find_frame(name: str, document: Document) -> Document | None:
    wanted = _key(name)
    frames = [each for each in document.elements if each.frame]
    for test in (lambda text: text == wanted, lambda text: wanted in text):
        for each in frames:
            names = (each.name, each.attribute("name"), each.declared.id, each.frame and each.frame.page.title)
            if any(test(_key(text)) for text in (*names, each.declared.href) if text):
                return each.frame
    return None


def find_nearest(spec: SelectorSpec, document: Document) -> list[dict[str, Any]]:
    """Return the elements whose names are most like the one that was asked for, each with a selector; at most five."""
    core = spec.core
    wanted = core.name if isinstance(core, PlainSelector) else core
    places = [(document, ""), *((frame, frame.page.title) for frame in document.frames)]
    kind = core.kind if isinstance(core, PlainSelector) else ""
    read = _LISTS.get(kind, _list_controls)
    named = [(name, each, frame) for place, frame in places for name, each in read(place.elements)]
    scored = process.extract(
        wanted, [name for name, _, _ in named], scorer=fuzz.WRatio, processor=utils.default_process,
        limit=NEAREST, score_cutoff=0.0 if kind in _LISTS else LEAST_SCORE,
    )  # fmt: skip
    found: list[dict[str, Any]] = []
    for name, _, index in scored:
        _, element, frame = named[index]
        told = {"role": kind, "name": name} if kind in _LISTS else {}
        plain = PlainSelector(kind, name) if kind and kind in _LISTS else _select(element)
        selector = (f"frame {quote_name(frame)} >> " if frame else "") + render_plain(plain)
        found.append(element.describe() | told | {"in": _place_of(element), "selector": selector})
    return found


def _list_values(elements: Elements) -> Iterable[tuple[str, LiveElement]]:
    return {(name, id(each)): (name, each) for name, each in list_valued(elements)}.values()


# What lists the names of things that have no role, by the kind of selector that names them.
_LISTS: dict[str, Callable[[Elements], Iterable[tuple[str, LiveElement]]]] = {
    "value": _list_values,
    "look": list_looks,
    "icon": list_icons,
}


def _list_controls(elements: Elements) -> Iterable[tuple[str, LiveElement]]:
    told = [each for each in elements if each.role in CONTROL_ROLES or each.role == "heading"]
    return ((each.name, each) for each in told if each.is_visible and each.name)


def _select(element: LiveElement) -> PlainSelector:
    word = next((word for word, roles in ROLE_WORDS.items() if element.role in roles), "")
    kind = "field" if element.role in FIELD_ROLES else "role" if word else "control"
    return PlainSelector(kind, element.name, word if kind == "role" else "")


def _narrow(spec: SelectorSpec, number: int) -> str:
    if isinstance(spec.core, str):
        return f"{spec.source} >> nth={number - 1}"
    plain = narrow_plain(spec.core, number)
    return render_selector(SelectorSpec("", plain, spec.frames)) if plain else ""


def _place_of(element: LiveElement) -> str:
    for each in element.ancestors():
        if each.role in REGION_ROLES and (name := each.name or next(iter(_headings_in(each)), "")):
            return name
    return ""
