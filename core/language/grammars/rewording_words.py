"""RewordingWords: the words by which a sentence is put as it is more often said; and those for an order of steps that isn't the one in which they are said."""

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


class RewordingWords(NamedTuple):
    """How a thing stands in front of what is done with it, and steps with nothing between them.

    Attributes:
        pronouns: What stands for the thing in front, as a regular expression.
        behind_pronouns: What may stand right behind that, so that it is no article: "that button".
        pressed: What is done with things on pages, whose names may be any words.
        determiners: What the name of a thing begins with: "the", "my".
        kinds: What the name of a thing ends with: "button", "folder".
        controls: Those of them that controls are called, whose names may begin as steps do: "Log in button".
        is_so: What joins a thing and its value, as a regular expression: "is".
        owners: What the thing in front of a value begins with: "my", "the".
        edges: What may stand around a thing and is no part of it, as a regular expression: "please".
        starts: What steps begin with beside the words that tell a step from a name.
        no_starts: What no step begins with that nothing stands in front of, though others do.
        no_fronts: What a step that follows at once never stands behind, since it belongs to a name or an order then.
    """

    pronouns: str = ""
    behind_pronouns: frozenset[str] = frozenset()
    pressed: frozenset[str] = frozenset()
    determiners: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    controls: frozenset[str] = frozenset()
    is_so: str = "(?!)"
    owners: frozenset[str] = frozenset()
    no_things: frozenset[str] = frozenset()
    edges: str = "(?!)"
    starts: frozenset[str] = frozenset()
    joints: frozenset[str] = frozenset()
    no_starts: frozenset[str] = frozenset()
    no_fronts: frozenset[str] = frozenset()
