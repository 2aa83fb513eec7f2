"""Bringing elements of declared pages into sight, in the same order as in a real page."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from actuators.browser.fake.documents import CONTROL_ROLES, LiveElement
from actuators.browser.fake.effects import press_mouse
from actuators.browser.fake.selecting import explain_ambiguous, find_anywhere
from actuators.browser.fake.turns import Turn, find_blocker
from actuators.browser.tools.toolset import Uncovering
from actuators.browser.uncovering import Trail, explain_unrevealed, list_ways
from core.matching import fold_space
from core.selectors import REVEALED, PlainSelector, SelectorSpec

_KINDS = ("sections", "tabs", "menus", "pages")
_NEXT = frozenset({"next", "next page", "older", "load more", "show more", "›", "»", ">", "→"})


@dataclass(slots=True)
class Search:
    """One search for an element.

    Attributes:
        turn: The call that it is part of.
        spec: The element.
        trail: What was looked through.
        pressed: What was pressed.
        depths: When what can be pressed was first seen; what came later lies deeper.
        has_whole: Whether something with exactly that text is there, or was.
    """

    turn: Turn
    spec: SelectorSpec
    trail: Trail = field(default_factory=Trail)
    pressed: list[LiveElement] = field(default_factory=list[LiveElement])
    depths: dict[LiveElement, int] = field(default_factory=dict[LiveElement, int])
    has_whole: bool = False

    def find(self) -> list[LiveElement]:
        """Return what the selector names; of a text or control only what is called exactly so, if there is any."""
        found = find_anywhere(self.spec, self.turn.document)
        whole = self._find_whole()
        self.has_whole = self.has_whole or bool(whole)
        return whole or ([] if self.has_whole else found)

    def look(self) -> bool:
        """Return whether the element is in sight.

        Raises:
            TargetError: If several are.
        """
        shown = [each for each in self.find() if each.is_visible]
        if len(shown) > 1:
            raise explain_ambiguous(self.spec, shown, self.turn.waited_s)
        return bool(shown)

    def next_opener(self, ways: Sequence[str]) -> tuple[str, LiveElement] | None:
        """Return what to press next, with its kind; None if there is nothing left."""
        document = self.turn.document
        found = [(kind, each) for each in document.elements if each.is_visible and (kind := name_kind(each)) in ways]
        fresh = [(kind, each) for kind, each in found if kind == "pages" or each not in self.pressed]
        for _, each in fresh:
            self.depths.setdefault(each, len(self.pressed))
        hidden = [each for each in self.find() if not each.is_visible]
        for kind, each in fresh:
            panel = find_panel(each)
            if panel and any(panel in target.ancestors() for target in hidden):
                return kind, each
        deepest = sorted(fresh, key=lambda pair: (-self.depths[pair[1]], _KINDS.index(pair[0])))
        return deepest[0] if deepest else None

    def press(self, kind: str, opener: LiveElement) -> None:
        """Press it; what can't be pressed is noted and passed over."""
        self.trail.add(kind, opener.name)
        self.pressed.append(opener)
        if opener.disabled or find_blocker(opener):
            self.trail.pass_over(kind, opener.name, "it can't be pressed")
            return
        press_mouse(self.turn, opener, "left", 1, ())
        self.turn.look()

    def _find_whole(self) -> list[LiveElement]:
        core = self.spec.core
        if not isinstance(core, PlainSelector) or core.kind not in {"text", "control"}:
            return []
        wanted = fold_space(core.name).lower()
        elements = self.turn.document.elements
        named = [each for each in elements if each.role in CONTROL_ROLES and wanted == each.name.lower()]
        written = [each for each in elements if wanted == fold_space(each.text).lower()]
        found = named or written
        return [each for each in found if each.is_visible] or found


def reveal(turn: Turn, spec: SelectorSpec, by: Uncovering) -> Trail:
    """Bring an element into sight.

    Args:
        turn: The call.
        spec: The element.
        by: What to try.

    Raises:
        TargetError: If it came up nowhere, or several came up at once.
    """
    search = Search(turn, spec)
    while not search.look():
        if turn.waited_s or not turn.look():
            break
    if not search.look() and not _look_everywhere(search, list_ways(by)):
        raise explain_unrevealed(spec.source, turn.document.url, search.trail)
    search.trail.in_view = True
    target = next(each for each in search.find() if each.is_visible)
    turn.document.refs[REVEALED] = target
    panels = [(opener.name, find_panel(opener)) for opener in search.pressed]
    search.trail.come_through([name for name, panel in panels if panel and panel in target.ancestors()])
    return search.trail


def name_kind(element: LiveElement) -> str:
    """Return what kind of thing an element opens; empty if it opens nothing."""
    popup = element.attribute("aria-haspopup")
    if element.role == "tab":
        return "tabs" if element.attribute("aria-selected") != "true" else ""
    if popup in {"true", "menu"}:
        return "menus"
    if element.attribute("aria-expanded") == "false" and not popup:
        return "sections"
    return "pages" if element.role in {"button", "link"} and element.name.lower() in _NEXT else ""


def find_panel(opener: LiveElement) -> LiveElement | None:
    """Return what an element opens, as far as it says so."""
    named = opener.attribute("aria-controls")
    return opener.document.find_id(named) if named else None


def _look_everywhere(search: Search, ways: Sequence[str]) -> bool:
    """Open one thing after another, then the next page, until the element is in sight."""
    openers = [each for each in ways if each not in {"scroll", "pages"}]
    while True:
        while found := search.next_opener(openers):
            search.press(*found)
            if search.look():
                search.trail.finish(found[0], found[1].name)
                return True
        if "pages" not in ways or not _turn_page(search):
            return False
        if search.look():
            return True


def _turn_page(search: Search) -> bool:
    """Go to the next page; return False if there is none, or it is the same."""
    found = search.next_opener(["pages"])
    if found is None:
        return False
    before = search.turn.document.root.read_text(), search.turn.document
    search.press(*found)
    if (search.turn.document.root.read_text(), search.turn.document) == before:
        return False
    search.trail.finish(found[0], found[1].name)
    return True
