"""Names for what a person typed into secret fields: the values are known to nobody here."""

import re
import unicodedata
from collections.abc import Mapping, Sequence

from agent.recording.acts import Act
from core.selectors.selectors import PlainSelector, parse_selector

_OTHER = re.compile(r"[^A-Za-z0-9]+")
_MOST_CHARS = 40
_PLAIN = "PASSWORD"


def name_secrets(acts: Sequence[Act]) -> Mapping[str, str]:
    """Return a name for each secret that was typed, by the names of its acts.

    The same field has the same name wherever it comes again, and so have two fields that held the same value.
    """
    names: dict[str, str] = {}
    by_element: dict[str, str] = {}
    for act in acts:
        if not act.secret:
            continue
        same = names.get(str(act.detail.get("same_as", "")))
        name = same or by_element.get(act.selector) or _find_free(_suggest(act.selector), set(by_element.values()))
        by_element.setdefault(act.selector, name)
        names.update(dict.fromkeys(act.ids, name))
    return names


def _suggest(selector: str) -> str:
    """Return what people would call the content of a field, in capitals."""
    core = parse_selector(selector).core if selector else ""
    name = core.name if isinstance(core, PlainSelector) else ""
    folded = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii")
    word = _OTHER.sub("_", folded).strip("_").upper()[:_MOST_CHARS].strip("_")
    return word if word[:1].isalpha() else _PLAIN


def _find_free(name: str, taken: set[str]) -> str:
    number = 2
    free = name
    while free in taken:
        free, number = f"{name}_{number}", number + 1
    return free
