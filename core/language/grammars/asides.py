"""What people say besides, around and instead of what they ask for: remarks, fillers, slips, other orders of words. Data only."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
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


class Fillers(NamedTuple):
    """What carries nothing, in the notation of phrases.

    Attributes:
        hesitations: Sounds of somebody who thinks; they stand anywhere.
        calls: What calls or greets somebody, in front of what is asked for.
        calls_aside: The same, only in front of a comma, since it may also begin what is asked for.
        interjections: What else may stand in front without one.
        behind: What else is said behind it.
        asides: What is said in passing: between commas, or in front of one of the words of ``before_asides``.
        asides_within_commas: What else is said in passing between commas.
        before_asides: Words in front of which something may be said in passing without commas.
        stutters: Words that are never meant twice.
        fragments: What ``<name>`` in any of this stands for.
        beginnings: The first words of all these ways, by themselves; of others they are worked out.
    """

    hesitations: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    calls_aside: tuple[str, ...] = ()
    interjections: tuple[str, ...] = ()
    requests: tuple[str, ...] = ()
    called_behind: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    asides: tuple[str, ...] = ()
    asides_within_commas: tuple[str, ...] = ()
    before_asides: tuple[str, ...] = ()
    stutters: frozenset[str] = frozenset()
    repeatable: frozenset[str] = frozenset()
    fragments: Mapping[str, str] = MappingProxyType({})
    beginnings: Mapping[str, Sequence[str]] = MappingProxyType({})


class Slips(NamedTuple):
    """Words that are said, heard or written for others.

    Attributes:
        heard: What may have been meant, the likeliest first, by what was heard or written: both are words of the language.
        guards: Words that turn a sentence around, put it off or ask. Where a misspelt word may be one of these, nothing is proposed.
        empty: Words that say nothing of what a sentence is about, so that they make no example near to it.
    """

    heard: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    guards: frozenset[str] = frozenset()
    empty: frozenset[str] = frozenset()


class RemarkWords(NamedTuple):
    """The words of remarks, all in lower case and of one word each but for ``leads``.

    Attributes:
        leads: How a remark goes on to what is asked for, as a regular expression, marks aside: "so".
        reasons: What a reason begins with behind what is asked for, as a regular expression: "because".
        verbs: What remarks tell something with: "is", "rang".
        contracted: How a word ends that has such a verb at its end, where another verb follows: "my phone's ringing".
        gerunds: How a verb ends that a remark may begin with: "going out, …".
        bars: What no remark holds, since what stands beside it may not be meant as it is said.
        denials: What a remark begins with only where such a verb follows at once: "can't hear you".
        barring: Words in a row that no remark holds, as a regular expression.
        bars_behind: What no remark holds that stands behind what is asked for, since it may take that back.
        repeating: What a wish to hear something again holds that stands beside a remark: "again", "say".
        subjects: What a remark may begin with though requests do, too.
        joining: What stands between a remark and a request that goes on with it.
        running_on: What a request begins with behind "so" where no mark stands in front of that: "it's late so close the tab".
        judging: What a remark begins with that rather belongs to an answer beside it.
        doubts: What else beside a yes makes it none.
        questions: What a remark begins with that asks something and ends with a question mark.
        taking: What a remark begins with that only names a thing: "take a.txt and …".
        joints: What may stand between that and the request, as a regular expression, marks aside.
        placing: What may say where a thing is.
        qualifying: What stands in front of a word that is the name of a program as well and means none there.
        statements: What may be told with no mark around it, in the notation of phrases; its slots are a ``word`` or a ``few``.
        fragments: What ``<name>`` in a statement stands for.
        parting: Words behind which a statement begins anew, and says nothing more of what they stand for: "turn it down my …".
        unrelated: What a statement begins with that says nothing more of a thing right in front of it: "it's".
        no_states: What no slot of a statement holds, since what follows may hang on it.
    """

    leads: str = "(?!)"
    reasons: str = "(?!)"
    verbs: frozenset[str] = frozenset()
    verb_endings: tuple[str, ...] = ()
    contracted: tuple[str, ...] = ()
    gerunds: tuple[str, ...] = ()
    bars: frozenset[str] = frozenset()
    denials: frozenset[str] = frozenset()
    barring: str = "(?!)"
    first_bars: frozenset[str] = frozenset()
    subjects_behind: frozenset[str] = frozenset()
    bars_behind: frozenset[str] = frozenset()
    addressed: frozenset[str] = frozenset()
    repeating: frozenset[str] = frozenset()
    subjects: frozenset[str] = frozenset()
    joining: frozenset[str] = frozenset()
    running_on: frozenset[str] = frozenset()
    unfinished: frozenset[str] = frozenset()
    judging: frozenset[str] = frozenset()
    doubts: frozenset[str] = frozenset()
    bars_reason: frozenset[str] = frozenset()
    questions: frozenset[str] = frozenset()
    taking: tuple[str, ...] = ()
    joints: str = "(?!)"
    placing: frozenset[str] = frozenset()
    qualifying: frozenset[str] = frozenset()
    on_pages: frozenset[str] = frozenset()
    on_sounds: frozenset[str] = frozenset()
    tabs: frozenset[str] = frozenset()
    statements: tuple[str, ...] = ()
    fragments: Mapping[str, str] = MappingProxyType({})
    parting: frozenset[str] = frozenset()
    unrelated: frozenset[str] = frozenset()
    no_states: frozenset[str] = frozenset()
