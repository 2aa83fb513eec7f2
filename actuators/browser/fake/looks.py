"""Finding things on the fake browser's documents by what they look like, and icons by what their authors called them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from actuators.browser.fake.documents import LiveElement
from core.selectors.colour_names import COLOUR_FAMILIES
from core.selectors.icon_words import NOISE, icon_query, split_words
from core.selectors.visual_descriptions import VisualDescription, read_visual_description

Elements = list[LiveElement]
Words = tuple[str, ...]

_NO_SHAPES = frozenset({"", "letter", "digit", "text", "image", "icon", "button", "link", "heading"})
_KINDS_WITHIN = {
    "rectangle": {"square", "box"},
    "text": {"letter", "digit"},
    "polygon": {"triangle", "star", "diamond"},
}
_SAID = ("title", "alt", "aria-label")
CROSSES = frozenset("x×✕✖✗✘⨯╳❌")
"""How the x is written that people see on what closes something."""


def find_looks(name: str, elements: Elements) -> Elements:
    """Return the visible elements that look so; an element looks like what it was declared to.

    Args:
        name: What is said of it, such as ``large red circle``.
        elements: Where to look.
    """
    wanted = read_visual_description(name)
    seen = [
        (each, read_visual_description(each.declared.look))
        for each in elements
        if each.declared.look and each.is_visible
    ]
    found = [(each, look) for each, look in seen if _is_like(look, wanted)]
    found = found or [(each, look) for each, look in seen if _is_like(_fold_character(look), _fold_character(wanted))]
    return [each for each, _ in _most_of(found, wanted.extreme)]


def find_icons(name: str, elements: Elements) -> Elements:
    """Return the visible elements without a text that are called so, by title or by class, id and data attributes.

    Args:
        name: What people call the icon.
        elements: Where to look.
    """
    query = icon_query(name)
    for words in (query["words"], *query["likes"]):
        for found in _stages(tuple(words), elements):
            if found:
                return found
    return []


def find_unnamed(name: str, elements: Elements) -> Elements:
    """Return the visible elements without any name that are called exactly so by their title, class or id."""
    words = _tell(name)
    found = next((found for found in _stages(words, elements)[:2] if found), []) if words else []
    return found or (_find_crosses(elements) if name.strip().lower() in CROSSES else [])


def _find_crosses(elements: Elements) -> Elements:
    """Return what closes something, which people know by the x on it."""
    shown = [each for each in elements if each.is_visible]
    stages = (
        [each for each in shown if not each.children and each.read_text().strip().lower() in CROSSES],
        [each for each in shown if each.name.strip().lower() == "close"],
        *_stages(("close",), elements)[:2],
    )
    return next((found for found in stages if found), [])


def list_looks(elements: Elements) -> list[tuple[str, LiveElement]]:
    """Return what there is to see, each as people would say it."""
    return [(each.declared.look, each) for each in elements if each.declared.look and each.is_visible]


def list_icons(elements: Elements) -> list[tuple[str, LiveElement]]:
    """Return the icons, each as it is called."""
    plain = [each for each in elements if each.is_visible and not each.read_text() and not each.children]
    named = [(next(filter(None, map(_tell, (*_said_of(each), *_called_of(each)))), ()), each) for each in plain]
    return [(" ".join(words), each) for words, each in named if words]


def _is_like(look: VisualDescription, wanted: VisualDescription) -> bool:
    asked = ("character", "sides", "shade", "size", "style", "width_px", "height_px")
    return (
        all(getattr(wanted, each) in {getattr(look, each), "", 0} for each in asked)
        and (wanted.kind in {"", look.kind} or _is_kind(look.kind, wanted.kind))
        and (wanted.colour in {"", look.colour} or look.colour in COLOUR_FAMILIES.get(wanted.colour, ()))
    )


def _fold_character(look: VisualDescription) -> VisualDescription:
    return replace(look, character=look.character.lower())


def _is_kind(kind: str, wanted: str) -> bool:
    return kind not in _NO_SHAPES if wanted == "shape" else kind in _KINDS_WITHIN.get(wanted, ())


def _most_of(
    found: list[tuple[LiveElement, VisualDescription]], extreme: str
) -> list[tuple[LiveElement, VisualDescription]]:
    if extreme not in {"largest", "smallest"} or not found:
        return found
    most = (max if extreme == "largest" else min)(look.width_px for _, look in found)
    return [(each, look) for each, look in found if look.width_px == most]


def _tell(text: str) -> Words:
    """Return the words of a name that tell which icon is meant."""
    return tuple(word for word in split_words(text) if word not in NOISE)


def _stages(words: Words, elements: Elements) -> Sequence[Elements]:
    plain = [each for each in elements if each.is_visible and not each.read_text()]

    def pick(read: Callable[[LiveElement], Iterable[str]]) -> tuple[Elements, Elements]:
        just = [each for each in plain if any(_tell(text) == words for text in read(each))]
        whole = [each for each in plain if set(words) <= {word for text in read(each) for word in split_words(text)}]
        return just, whole

    said, called = pick(_said_of), pick(_called_of)
    return [said[0], called[0], said[1], called[1]]


def _said_of(element: LiveElement) -> Iterable[str]:
    return [text for name in _SAID if (text := element.attribute(name))]


def _called_of(element: LiveElement) -> Iterable[str]:
    attributes = element.declared.attributes
    data = [text for name, text in attributes.items() if name.startswith("data-") and name != "data-testid"]
    return [text for text in (*(attributes.get("class") or "").split(), element.declared.id, *data) if text]
