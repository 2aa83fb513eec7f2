"""RemarkWords: the words by which a remark is told from a request."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


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
