"""Which tabs a goal means."""

from collections.abc import Callable, Sequence

from actuators.browser.ports.pages import make_no_page_error
from actuators.browser.ports.tabs import TabFacts
from core.base.errors import InputError, TargetError
from core.base.matching import fold_space
from core.rules.browser_choices import WhichTabs

_PLACES = frozenset({"first", "last", "next", "previous", "new"})


def choose_tabs(tabs: Sequence[TabFacts], which: WhichTabs) -> Sequence[TabFacts]:
    """Return the tabs that are meant, seen from the current one; what another lane is on is left out.

    Raises:
        ActionError: ``no_page`` if the lane is on none.
    """
    here = next((each for each in tabs if each.is_current), None)
    if here is None:
        raise make_no_page_error()
    meant: dict[WhichTabs, Callable[[int], bool]] = {
        "all": lambda _: True,
        "others": lambda index: index != here.index,
        "left": lambda index: index < here.index,
        "right": lambda index: index > here.index,
    }
    return [each for each in tabs if meant[which](each.index) and not each.is_taken]


def refuse_both(**said: object) -> None:
    """Refuse two ways to say which tab is meant.

    Raises:
        InputError: If more than one is given.
    """
    if sum(each is not None for each in said.values()) > 1:
        raise InputError(f"Only one of {' and '.join(said)} can be given.", hint="Leave one of them out.")


def pick_tab(tabs: Sequence[TabFacts], wanted: str | int) -> TabFacts:
    """Return the one tab that is meant.

    Args:
        wanted: Index, ``first``, ``last``, ``next``, ``previous``, ``new``, or a part of one tab's title or address.

    Raises:
        TargetError: If none or more than one matches; lists the tabs.
    """
    is_place = isinstance(wanted, int) or wanted.isdecimal() or wanted in _PLACES
    found = _find_by_place(tabs, wanted) if is_place else _find_by_words(tabs, str(wanted))
    return _take_only(found, tabs, f'"{wanted}"')


def pick_by_content(tabs: Sequence[TabFacts], texts: Sequence[str], wanted: str) -> TabFacts:
    """Return the one tab that shows a text.

    Args:
        wanted: The text; case and white space are ignored.

    Raises:
        TargetError: If none or more than one shows it; lists the tabs.
    """
    folded = fold_space(wanted).casefold()
    found = [each for each, shown in zip(tabs, texts, strict=True) if folded in fold_space(shown).casefold()]
    return _take_only(found, tabs, f'a page with "{wanted}" on it')


def _take_only(found: Sequence[TabFacts], tabs: Sequence[TabFacts], wanted: str) -> TabFacts:
    if len(found) == 1:
        return found[0]
    listing = "; ".join(str(each) for each in tabs) or "none"
    raise TargetError(
        f"{'More than one tab matches' if found else 'No tab matches'} {wanted}. Open tabs: {listing}.",
        code="target_ambiguous" if found else "target_missing",
        hint="Name a tab by its index, or by a unique part of its title or address.",
        evidence={"tabs": [each.as_json() for each in tabs]},
    )


def _find_by_place(tabs: Sequence[TabFacts], wanted: str | int) -> Sequence[TabFacts]:
    if wanted == "new":
        return [each for each in tabs if each.is_new][-1:]
    here = next((each.index for each in tabs if each.is_current), -1)
    places = {"first": 0, "last": len(tabs) - 1, "next": here + 1, "previous": here - 1}
    place = places[wanted] if isinstance(wanted, str) and wanted in places else int(wanted)
    return tabs[place : place + 1] if place >= 0 else []


def _find_by_words(tabs: Sequence[TabFacts], words: str) -> Sequence[TabFacts]:
    exact = [each for each in tabs if words in {each.title, each.url}]
    folded = words.casefold()
    return exact or [each for each in tabs if folded in each.title.casefold() or folded in each.url.casefold()]
