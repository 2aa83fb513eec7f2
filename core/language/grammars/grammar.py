"""What a language file says: phrases for every verb, and the words that phrases share. Data only.

A phrase is written as people say it, with

- ``[word]`` for what may be left out and ``(this|that)`` for a choice,
- ``{name:kind}`` for a slot: the param that it fills, and what may stand there (``core.language.phrases.slots`` lists the kinds),
- ``<name>`` for a fragment that several phrases share.

A slot named ``*`` fills several params, and one whose name ends in ``_after`` fills the param without that ending; one whose name
begins with ``_`` fills none; ``_in`` names the part of the page that the other elements are in, and ``_record`` the record.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from core.base.late_dataclasses import dataclass
from core.language.grammars.asides import Fillers, RemarkWords, RewordingWords, Slips, Turning
from core.language.grammars.spellings import Spellings
from core.language.grammars.terms import (
    DescriptionWords,
    FieldWords,
    FileWords,
    FillingWords,
    ProgramWords,
    ReferringWords,
    SoundWords,
)
from core.language.grammars.verb_forms import ActWords
from core.language.grammars.word_classes import WordClasses
from core.language.meanings.contexts import Traces
from core.language.sentences.spoken_numbers import DurationWords, NumberWords, SpokenWords

if TYPE_CHECKING:
    from core.language.meanings.interpretation import RefusalCode


class SlotName(NamedTuple):
    """A slot of the phrase, where a ``PhraseStep`` takes a value from it."""

    name: str


class PhraseStep(NamedTuple):
    """One of several goals that a phrase stands for.

    Attributes:
        name: ``domain.verb``.
        params: Its params; a ``SlotName`` stands for what the slot of that name was filled with, ``{name}`` within a
            text for the same in quotes, and a reference to goal ``1`` for the first of the steps.
    """

    name: str
    params: Mapping[str, Any]


class Fill(NamedTuple):
    """How the answer to the question of a refusal completes the sentence.

    Attributes:
        slot: The param that is missing; ``*`` where it may be any.
        text: The whole sentence: ``{clause}`` for what was said, ``{name}`` for the words of a slot, ``{answer}`` for the
            answer; in double quotes where it is taken byte for byte.
    """

    slot: str
    text: str


class Phrase(NamedTuple):
    """One way to say something.

    Attributes:
        examples: Sentences and the params that must come of them; run as tests. A refusing phrase has them with ``{}``.
        after: The phrase is understood only behind one of these in the same sentence, because on its own it could mean
            something else: ``domain.verb`` or ``domain.verb.opens`` right in front, or ``browser`` or ``desktop``, where
            the last step was that was anywhere.
        opens: Name for the short forms that may stand behind this phrase ("…, and the email field with B").
        refuses: The phrase is understood, but can't be done as said: the code of the refusal.
        asks: The question that goes with it, or the reason why it can't be done.
        steps: The goals that it stands for, where these are several; its examples then hold what the slots are filled with.
        fills: How an answer to the question completes the sentence; the first that can be understood counts.
        choices: What the sentence can mean, each by what people call it, with the sentence that says so in full.
        is_frame: Whether the template is a frame, whose parts may stand in any order; see ``core.language.frames.frames``.
    """

    template: str
    examples: Mapping[str, Mapping[str, Any]]
    sets: Mapping[str, Any] = MappingProxyType({})
    after: tuple[str, ...] = ()
    opens: str = ""
    refuses: "RefusalCode | None" = None
    asks: str = ""
    steps: tuple[PhraseStep, ...] = ()
    fills: tuple[Fill, ...] = ()
    choices: Mapping[str, str] = MappingProxyType({})
    is_frame: bool = False


class VerbPhrases(NamedTuple):
    """All ways to say one verb, the more special ones first."""

    domain: str
    verb: str
    phrases: tuple[Phrase, ...]

    @property
    def name(self) -> str:
        """``domain.verb``."""
        return f"{self.domain}.{self.verb}"


class ElementKind(NamedTuple):
    """A kind of element that people name.

    Attributes:
        form: Its plain selector form, such as ``button``.
        role: Its ARIA role, for elements without a name.
        lone: Selector where only the kind is said, if that is not the role.
    """

    form: str
    role: str
    words: tuple[str, ...]
    plurals: tuple[str, ...] = ()
    lone: str = ""


class Vocabulary(NamedTuple):
    """The words that slots are read with. All in lower case.

    Attributes:
        landmarks: Parts that a page has one of, and the words of selectors for them.
        present: Words between these and the part that tell nothing more.
        counted_parts: Parts that are told by their place ("the second paragraph"), besides rows; likewise.
        is_kind_first: Whether the kind of an element is said in front of its name ("Feld Name"), and with a capital.
        naming: Words between a kind and a name ("the button labelled …"), as a regular expression.
        containers: Parts of a page that can be named ("in the Billing section").
        leading: The words of these that can begin a place in front of a step ("in the Pay frame, …").
        rows: Repeated parts of a page that go by what they hold ("the row of Ada").
        holding: Words between such a part and what it holds, as a regular expression.
        subject: Words in front of a name that stands for such a part ("for the user @ada"), as a regular expression.
        things: Words for what has no role, understood only beside a name in quotes ("the card "Tea"").
        surroundings: Places that say nothing ("on the page"), as a regular expression.
        pronouns: Words that name nothing by themselves.
        qualifying: Those of them that names may begin with: "default model".
        form_names: Names that are those of a field, even where no kind of element is said.
        elsewhere: Names that rather mean something outside a page where no kind of element is said.
        nobody: Words that stand for people without naming anybody.
        dated: How the name of a field for a date ends, as a regular expression.
        next_field: What in an unquoted text may as well begin the next of several fields, as a regular expression.
        vague: Words that name nothing where no kind of element is said.
        relative: Words that tell a field by where it is rather than by its name.
        no_name: What no unquoted name may contain, as a regular expression: it describes rather than names.
        stand_ins: Words that stand for something said before, so they are not a text of their own.
        described: What tells a text rather than being it ("my password", "the code 1234"), as a regular expression.
        none: What says, in front of a kind of element, that there is none.
        negation: What turns a statement about a part of the page around, as a regular expression.
        no_field: What no unquoted name of a field may contain besides, as a regular expression.
        not_shown: What makes words a sentence rather than a text that a page may show, as a regular expression.
        ordinals: Ordinal words; -1 is the last.
        choices: Closed sets, by the kind of slot: what people say and the value.
        device_words: First words of the names of devices.
        file_endings: Endings that make a dotted word a file rather than a host, and are a kind of file by themselves.
        worded_endings: The same, but no kinds: they are words that mean something else.
        condition: What makes unquoted text a condition or schedule, as a regular expression.
        question: How a question begins, as a regular expression; within it, ``condition`` means nothing.
        request: How a request begins that ends with a question mark, as a regular expression.
        file_words: Words that make a search one for files, as a regular expression.
        given: Words that stand for the text that was read last.
        date_in_words: How a date is said with the name of a month, as a regular expression.
        spoken: Words for the characters of addresses, names of files and options that are dictated.
        descriptions: Words that tell an element by something else than its name.
        placing: Words that say where something is, as a regular expression.
        no_beginning: How no name begins that isn't written with a capital, as a regular expression.
        own: What makes a search one for what only the person knows ("when my payday is"), as a regular expression.
        unfinished: How what is looked for can't end ("the web for"), unless it is a question, as a regular expression.
    """

    element_kinds: tuple[ElementKind, ...]
    articles: tuple[str, ...]
    naming: str
    containers: tuple[str, ...]
    inside: tuple[str, ...]
    leading: tuple[str, ...]
    rows: tuple[str, ...]
    holding: str
    subject: str
    things: tuple[str, ...]
    surroundings: str
    frames: tuple[str, ...]
    selector_words: tuple[str, ...]
    pronouns: frozenset[str]
    qualifying: frozenset[str]
    form_names: frozenset[str]
    elsewhere: frozenset[str]
    next_field: str
    vague: frozenset[str]
    relative: frozenset[str]
    no_name: str
    stand_ins: frozenset[str]
    described: str
    none: str
    negation: str
    no_field: str
    not_shown: str
    numbers: NumberWords
    ordinals: Mapping[str, int]
    durations: DurationWords
    keys: Mapping[str, str]
    modifiers: Mapping[str, str]
    choices: Mapping[str, Mapping[str, Any]]
    device_words: frozenset[str]
    file_endings: frozenset[str]
    worded_endings: frozenset[str]
    shared_endings: frozenset[str]
    bare_files: frozenset[str]
    condition: str
    question: str
    request: str
    file_words: str
    given: frozenset[str]
    beginnings: frozenset[str]
    ages: Mapping[str, str]
    date_in_words: str
    files: FileWords
    programs: ProgramWords
    sounds: SoundWords
    descriptions: DescriptionWords
    platform_names: Mapping[str, str] = MappingProxyType({})
    spoken: SpokenWords = SpokenWords()
    sites: Mapping[str, str] = MappingProxyType({})
    is_kind_first: bool = False
    landmarks: Mapping[str, str] = MappingProxyType({})
    pointing: tuple[str, ...] = ()
    present: tuple[str, ...] = ()
    counted_parts: Mapping[str, str] = MappingProxyType({})
    colour_words: frozenset[str] = frozenset()
    bounds: Mapping[str, str] = MappingProxyType({})
    filling: FillingWords = FillingWords()
    nobody: frozenset[str] = frozenset()
    dated: str = "(?!)"
    referring: ReferringWords = ReferringWords()
    placing: str = "(?!)"
    fields: FieldWords = FieldWords()
    no_beginning: str = "(?!)"
    own: str = "(?!)"
    unfinished: str = "(?!)"

    @property
    def unhosted_endings(self) -> frozenset[str]:
        """Endings that make a dotted word a file rather than a host."""
        return self.file_endings | self.worded_endings


class Clauses(NamedTuple):
    """How steps are strung together; all regular expressions.

    Attributes:
        weak: What stands between steps only where a step follows.
        abbreviation: What a full stop doesn't end a sentence after.
        completion: How a step begins that may as well complete the one in front ("… and save it as x.png").
        numbered: What stands in front of a step of a numbered list within a line, and how such a list begins.
        late_lead_in: Fillers in front of a step that might as well belong to it.
        late_filler: Fillers behind it that might as well belong to a name, and are dropped only if nothing else helps.
        foreign: How a step begins that belongs to no verb here, so that it is never taken for part of a name or text.
        ordinary: Words that begin phrases, but say nothing about whether a step follows.
        condition: How a conditional or scheduled step begins.
        schedule: What says that a step is to be done at another time; no name without quotes ends so.
        someday: What may say so, or be a name.
        order: What says between two steps that the second has to wait for the first.
        free: Domains whose first step waits for nothing, unless that is said.
        never: What no step holds outside of quotes, because it may turn it around or put it off, as a regular expression;
            empty where phrases see to that by themselves.
        holding: Verbs, as ``domain.verb``, that every later step waits for, of whatever domain: they wait themselves.
        dated: What a comma and a year behind belong to: "May 20, 2026"; as a regular expression.
    """

    strong: str
    weak: str
    abbreviation: str
    completion: str
    numbered: str
    lead_in: str
    lead_out: str
    late_lead_in: str
    late_filler: str
    foreign: str
    ordinary: frozenset[str]
    condition: str
    schedule: str
    someday: str
    order: str
    free: frozenset[str]
    never: str = ""
    holding: frozenset[str] = frozenset()
    dated: str = "(?!)"


class Wording(NamedTuple):
    """The messages of refusals; ``{clause}`` is what was not understood, ``{words}`` a part of it, ``{thing}`` what it may mean, ``{sentence}`` the same put right."""

    empty: str
    too_long: str
    unclear_quote: str
    ask_quote: str
    not_understood: str
    ambiguous: str
    two_readings: str
    ask_quotes: str
    two_steps: str
    schedule: str
    condition: str
    missing: str
    unsupported: str
    unclear_words: str
    unnamed_thing: str
    ask_thing: str
    ask_things: str
    ask_meant: str


@dataclass(frozen=True, eq=False)
class Grammar:
    """A language. What is made of nothing else is made once for it: it is the same as itself only, and kept with what was made.

    Attributes:
        fragments: What ``<name>`` in a phrase stands for.
        turning: How steps are said in another order than that in which they happen.
        remarks: How what is only told is known from what is asked for.
        acts: The verbs of phrases that name an act instead.
        beginnings: The first words of phrases, by their templates; of others they are worked out.
        slips: What is heard or written for something else.
    """

    language: str
    verbs: tuple[VerbPhrases, ...]
    fragments: Mapping[str, str]
    vocabulary: Vocabulary
    clauses: Clauses
    wording: Wording
    traces: Traces
    turning: Turning
    remarks: RemarkWords
    rewording: RewordingWords
    acts: ActWords
    spellings: Spellings
    classes: WordClasses
    fillers: Fillers
    beginnings: Mapping[str, Sequence[str]]
    slips: Slips
