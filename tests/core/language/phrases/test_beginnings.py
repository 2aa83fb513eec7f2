"""What is known by its first word never rejects what would be read."""

from core.addresses.platforms import SEARCH_PLATFORMS
from core.language.file_clauses.lexicon import find_first_token, split_tokens
from core.language.phrases.slot_readers import SlotReaders
from core.language.sentences.literals import Sentence, find_literals
from core.language.sentences.spans import Span, UnreadableError, make_span
from core.language.talk.languages import load_language
from tests.cases import each_case

_MOST_WORDS = 4


def list_examples(language: str) -> list[Sentence]:
    verbs = load_language(language).verbs
    return [find_literals(text) for verb in verbs for phrase in verb.phrases for text in phrase.examples]


def list_spans(sentence: Sentence) -> list[Span]:
    """Return a few words from each word on."""
    ends = [place for place, letter in enumerate(f"{sentence.mask} ") if letter.isspace()]
    starts = [0, *(end + 1 for end in ends[:-1])]
    return [
        make_span(sentence, start, end)
        for number, start in enumerate(starts)
        for end in ends[number : number + _MOST_WORDS]
        if sentence.mask[start:end].strip()
    ]


def reads(readers: SlotReaders, kind: str, span: Span) -> bool:
    try:
        readers.read(kind, span)
    except UnreadableError:
        return False
    return True


@each_case("language", ["en", "de"])
def test_a_slot_begins_with_a_word_that_it_may_begin_with(language: str) -> None:
    readers = SlotReaders(load_language(language).vocabulary, SEARCH_PLATFORMS)
    kinds = readers.beginnings.keys() - {"lone"}  # whose shape says what it may be
    missed = [
        (kind, span.text)
        for sentence in list_examples(language)
        for span in list_spans(sentence)
        for kind in kinds
        if not readers.beginnings[kind](span.words.split()[0]) and reads(readers, kind, span)
    ]
    assert missed == []


def test_the_first_token_of_a_clause_is_the_first_of_all() -> None:
    spans = [make_span(sentence, 0, len(sentence.mask)) for sentence in list_examples("en")]
    assert [find_first_token(span) for span in spans] == [split_tokens(span)[0] for span in spans]


def test_words_are_the_same_only_in_the_same_surroundings() -> None:
    def find_wording(text: str, words: str) -> object:
        sentence = find_literals(text)
        start = sentence.mask.index(words)
        return make_span(sentence, start, start + len(words)).wording

    assert find_wording("mute it, open Mail", "open Mail") == find_wording("go home or stop it, open Mail", "open Mail")
    assert find_wording("open Mail", "open Mail") != find_wording("open Mail?", "open Mail")
    assert find_wording("open Mail", "Mail") != find_wording("launch Mail", "Mail")
    assert find_wording("open Mail", "open Mail") != find_wording("open Mail, mute it", "open Mail")
