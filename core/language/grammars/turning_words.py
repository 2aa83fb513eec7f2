"""Turning: the words for an order of steps that isn't the one in which they are said."""

from typing import NamedTuple


class Turning(NamedTuple):
    """How steps are said in another order than that in which they happen.

    Attributes:
        before: Words behind which a step stands that happens later, as a regular expression; empty if there are none.
        person: Who may be named between such a word and the step, as a regular expression.
        endings: How the first word of the step may end behind such a word, as a regular expression, and what it ends
            with as a command instead.
        then: What may stand between steps that happen one after the other.
        meanwhile: What may stand between steps that happen at the same time.
        asking: How a request begins that goes on with such a word ("would you mind opening …"), as a regular expression.
        lasting: Verbs, as ``domain.verb``, which behind a word for "meanwhile" may well have to end with the other
            step, so that such a sentence isn't clear.
    """

    before: str = ""
    after: str = ""
    during: str = ""
    awaited: str = ""
    person: str = ""
    endings: tuple[tuple[str, str], ...] = ()
    then: str = ""
    meanwhile: str = ""
    asking: str = ""
    lasting: frozenset[str] = frozenset()
