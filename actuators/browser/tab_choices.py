"""Which tabs a goal about several of them means."""

from actuators.browser.tools.tabs import WhichTabs
from core.errors import InputError


def list_places(which: WhichTabs, here: int, count: int) -> list[int]:
    """Return the places of the tabs that are meant, from the first on.

    Args:
        which: Which are meant.
        here: The place of the current one.
        count: How many there are.
    """
    places = range(count)
    kept = {
        "all": list(places),
        "others": [place for place in places if place != here],
        "left": list(places[:here]),
        "right": list(places[here + 1 :]),
    }
    return kept[which]


def refuse_both(**said: object) -> None:
    """Refuse two ways to say which tab is meant.

    Raises:
        InputError: If more than one is given.
    """
    if sum(each is not None for each in said.values()) > 1:
        raise InputError(f"Only one of {' and '.join(said)} can be given.", hint="Leave one of them out.")
