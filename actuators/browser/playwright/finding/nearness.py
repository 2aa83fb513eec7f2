"""How near the name of one thing is to what was asked for, so that a miss names only what may really have been meant. Pure."""

import unicodedata

from rapidfuzz import utils
from rapidfuzz.distance import OSA

NEAR = 67.0
"""The least nearness of what is worth naming."""

_LEAST_WORD = 3  # letters of a word that tells anything by itself
_INSIDE_SHARE = 0.97
# Letters with a stroke, which Unicode doesn't take apart.
_PLAIN_LETTERS = str.maketrans("łŁøØđĐ", "lLoOdD")


def fold_name(text: str) -> str:
    """Make a name comparable for people who type without marks and capitals."""
    bare = "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))
    return utils.default_process(bare.translate(_PLAIN_LETTERS))


def judge_nearness(wanted: str, name: str) -> float:
    """Return how near a name is to the one that was asked for, 0 to 100.

    Near is what is written nearly alike as a whole, or most of whose words are, whatever else the longer of the two says. Letters that stand in
    a row somewhere within a word make nothing near: "go" is not "categories".
    """
    asked, told = fold_name(wanted), fold_name(name)
    if not asked or not told:
        return 0.0
    whole = _compare(asked, told)
    return max(whole, _INSIDE_SHARE * _share(asked, told), _INSIDE_SHARE * _share(told, asked))


def _share(part: str, whole: str) -> float:
    """Return how much of a text's words, by their letters, are among another's; what has no word of its own to tell shares nothing."""
    words, others = part.split(), whole.split()
    if max(map(len, words)) < _LEAST_WORD:
        return 0.0
    total = sum(map(len, words))
    return sum(len(word) * max(_compare(word, other) for other in others) for word in words) / total


def _compare(one: str, other: str) -> float:
    """Return how much of two texts is the same, 0 to 100; letters that changed places count as one slip."""
    return 100 * OSA.normalized_similarity(one, other)
