"""Words of a text by their number."""

import unicodedata

from core.base.errors import TargetError


def list_words(text: str) -> list[str]:
    """Return the words of a text: what stands between white space, without the punctuation around it.

    Punctuation inside a word stays, as in ``don't`` and ``e-mail``; what is nothing but punctuation is no word.
    """
    bare = (_trim(each) for each in text.split())
    return [each for each in bare if each]


def pick_word(text: str, index: int) -> str:
    """Return one word of a text.

    Args:
        index: Its number from 1, or from -1 backwards from the end.

    Raises:
        TargetError: ``word_missing`` if there are fewer words.
    """
    words = list_words(text)
    place = index - 1 if index > 0 else len(words) + index
    if index and 0 <= place < len(words):
        return words[place]
    raise TargetError(
        f"Word {index} does not exist: the text has {len(words)}.",
        code="word_missing",
        hint="Count from 1, or backwards from -1.",
        evidence={"count": len(words)},
    )


def _trim(text: str) -> str:
    start, end = 0, len(text)
    while start < end and _is_mark(text[start]):
        start += 1
    while end > start and _is_mark(text[end - 1]):
        end -= 1
    return text[start:end]


def _is_mark(char: str) -> bool:
    """Tell whether a character is punctuation around words; signs such as ``$`` and ``+`` belong to them."""
    return unicodedata.category(char).startswith("P") and char not in "%&@#*"
