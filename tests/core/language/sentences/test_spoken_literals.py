"""What is dictated becomes what it stands for; what may just be words, and what is quoted, stays as it is."""

from hypothesis import given
from hypothesis import strategies as st

from core.language.sentences.literals import Sentence, find_literals
from core.language.sentences.spoken_literals import SpokenLiterals
from core.language.talk.languages import load_language
from tests.cases import each_case

WORDS = load_language("en").vocabulary
SPOKEN = SpokenLiterals(WORDS.spoken, WORDS.file_endings)
OTHERS = WORDS.spoken.not_first | WORDS.spoken.not_before | {*SPOKEN.signs, "forward", "minus", "http", "https"}
LABELS = st.from_regex(r"[a-z][a-z0-9]{2,9}", fullmatch=True).filter(lambda label: label not in OTHERS)
ENDINGS = st.sampled_from(sorted(WORDS.spoken.endings - {"to", "in", "at", "is", "it", "me", "us", "so", "no", "be"}))


def find(utterance: str) -> Sentence:
    return SPOKEN.add(find_literals(utterance))


def list_values(utterance: str) -> list[str]:
    return [literal.value for _, literal in sorted(find(utterance).literals.items())]


def speak(address: str) -> str:
    """Return an address as it is dictated."""
    for sign, word in ((".", "dot"), ("/", "slash"), ("-", "dash"), ("_", "underscore"), (":", "colon")):
        address = address.replace(sign, f" {word} ")
    return " ".join(address.split())


@given(st.lists(LABELS, min_size=1, max_size=3), ENDINGS, st.lists(LABELS, max_size=3))
def test_a_dictated_address_is_the_written_one(labels: list[str], ending: str, path: list[str]) -> None:
    address = "/".join([".".join([*labels, ending]), *path])
    sentence = find(f"go to {speak(address)}, please")
    assert [literal.value for literal in sentence.literals.values()] == [address]
    assert len(sentence.mask) == len(sentence.source)
    assert sentence.mask.startswith("go to ")
    assert sentence.mask.endswith(", please")


@given(st.lists(LABELS, min_size=1, max_size=3), st.sampled_from("-_"), st.sampled_from(["pdf", "txt", "csv", "zip"]))
def test_a_dictated_name_of_a_file_is_the_written_one(labels: list[str], joint: str, ending: str) -> None:
    name = f"{joint.join(labels)}.{ending}"
    assert list_values(f"delete {speak(name)}") == [name]


@given(st.text(max_size=60))
def test_nothing_of_a_sentence_changes_but_its_mask(text: str) -> None:
    quoted = '"' + text.replace("\\", "").replace('"', "") + '"'
    before = find_literals(f"type {quoted} into the field")
    assert SPOKEN.add(before) == before


@each_case(
    ("utterance", "values"),
    [
        ("go to https colon slash slash example dot com slash a dot html", ["https://example.com/a.html"]),
        ("open example.com slash login", ["example.com/login"]),
        ("go to localhost colon 8000 slash shop", ["localhost:8000/shop"]),
        ("go to Example dot com", ["Example.com"]),
        ("go to example dot com forward slash login", ["example.com/login"]),
        ("type ada dot lovelace at example dot com", ["ada.lovelace@example.com"]),
        ("type dash dash help", ["--help"]),
        ("type dash dash dry dash run", ["--dry-run"]),
        ("press capital a", ["A"]),
        ("rename x dot txt to y dot txt", ["x.txt", "y.txt"]),
    ],
)
def test_dictated_characters_are_written(utterance: str, values: list[str]) -> None:
    assert list_values(utterance) == values


@each_case(
    "utterance",
    [
        "connect the dots",
        "put a dot on the map",
        "go to the guardian dot com",
        "go to example dot foo",
        "look at the slash",
        "what is the capital a of a country",
        "the capital of france",
        "dash to the shop",
        "minus five degrees",
        'type "example dot com" into the field',
        "type `dash dash help`",
    ],
)
def test_what_may_just_be_words_stays_words(utterance: str) -> None:
    before = find_literals(utterance)
    assert SPOKEN.add(before) == before
