"""In which order things belong: by the numbers in their texts, by the texts, or as somebody said."""

from collections.abc import Sequence

from actuators.browser.ports.value_conditions import read_number
from core.base.errors import TargetError
from core.base.matching import fold_space

_LANGUAGE = "en"


def sort_texts(texts: Sequence[str], order: str | Sequence[str]) -> list[str]:
    """Return the texts of things in the order that is wanted.

    Args:
        order: ``ascending`` or ``descending``, by their numbers where each has just one, else by the alphabet; or the texts of
            those that come first, in order.

    Raises:
        TargetError: If a text that was named is not among them, or several times.
    """
    if not isinstance(order, str):
        return _put_first(list(texts), order)
    numbers = [read_number(text, _LANGUAGE) for text in texts]
    is_back = order == "descending"
    known = [number for number in numbers if number is not None]
    if len(known) == len(texts):
        pairs = sorted(zip(known, texts, strict=True), key=lambda pair: pair[0], reverse=is_back)
        return [text for _, text in pairs]
    return sorted(texts, key=str.casefold, reverse=is_back)


def _put_first(texts: list[str], order: Sequence[str]) -> list[str]:
    named: list[str] = []
    for name in order:
        wanted = fold_space(name).casefold()
        found = [text for text in texts if fold_space(text).casefold() == wanted]
        if len(found) != 1:
            raise TargetError(
                f"“{name}” is {'not' if not found else 'several times'} among the things to put in order.",
                code="target_missing" if not found else "target_ambiguous",
                hint="Name each by its whole text.",
                evidence={"texts": texts},
            )
        named.append(found[0])
    return [*named, *(text for text in texts if text not in named)]
