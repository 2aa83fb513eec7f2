"""Signs: which other languages an utterance seems to be said in, and what it says to a question or a run in any of them."""

import re
from collections.abc import Iterable, Iterator

from core.language.meanings.interpretation import Situation, SpokenControl
from core.language.sentences.literals import LongSentenceError, UnclosedQuoteError, find_literals
from core.language.talk.control_readers import load_control_reader
from core.language.talk.languages import FOLDERS, load_signs

_WORD = re.compile(r"[^\W\d_]+")


def list_likely(utterance: str, language: str, others: Iterable[str] = tuple(FOLDERS)) -> Iterator[str]:
    """Yield the languages that an utterance shows signs of; one without signs, where it shows none of the first.

    Args:
        utterance: What somebody said; what stands in quotes is no sign.
        language: The language of the conversation, which is none of them.
        others: The languages that there are, in order.
    """
    try:
        mask = find_literals(utterance).mask
    except (UnclosedQuoteError, LongSentenceError):
        return
    words = {word.lower() for word in _WORD.findall(mask)}
    own = load_signs(language)
    for tag in others:
        signs = load_signs(tag)
        if tag != language and (words & signs if signs else words and own and not words & own):
            yield tag


def hear_control(utterance: str, situation: Situation, language: str = "en") -> SpokenControl | None:
    """Return what an utterance says to an open question or a run, in a language or in one that it is clearly said in.

    Args:
        situation: What it may be said to.
    """
    if control := load_control_reader(language).read(utterance, situation):
        return control
    heard = (load_control_reader(tag).read(utterance, situation) for tag in list_likely(utterance, language))
    return next((control for control in heard if control), None)
