"""What is spoken: never a selector, an address, a path, an id or a digest, whatever the reply and the page say."""

import hashlib
import re
import string
import uuid
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.speech.wording import LONGEST, list_names, name_address, name_element, name_file, speak, split_sentences
from core.execution.run_context import make_run_id
from core.selectors.selectors import ROLE_WORDS, PlainSelector, Region, render_plain
from tests.cases import each_case
from tests.thoroughness import examples

SCREEN_ONLY = re.compile(
    r"""
      [\\/=<>\[\]{}|*_@#"`^~$%&+]               # signs of addresses, paths, selectors, commands
    | \b\d{1,3}(?:\.\d{1,3}){3}\b               # an IP address
    | \b(?=[0-9a-fA-F]*\d)[0-9a-fA-F]{8,}\b     # a digest or an id
    | \br[0-9a-f]{16}\b | \bg\d+[a-z]           # a run's id, an action's id
    | \bhttps?\b | \bcss\b | \bxpath\b | \btestid\b | \bsurehand\ (?:run|sessions) | --\w
    | [^\S ] | [\x00-\x1f\x7f\u200b-\u200f\u202a-\u202e]
    """,
    re.VERBOSE,
)

WORDS = st.text(string.ascii_letters + " äßé猫.,;:!?'’()-", min_size=1, max_size=30)
PIECES = st.text(string.ascii_lowercase, min_size=1, max_size=8)
DIGESTS = st.binary(max_size=20).map(lambda data: hashlib.sha256(data).hexdigest())
IDS = st.one_of(
    st.builds(make_run_id),
    st.uuids().map(str),
    DIGESTS,
    DIGESTS.map("sha256:{}".format),
    st.builds(
        "g{}_{}_{}".format, st.integers(0, 99), st.sampled_from(["navigate", "click", "open_tab"]), st.integers(1, 9)
    ),
)
HOSTS = st.one_of(
    st.sampled_from(["localhost", "127.0.0.1", "[::1]", "10.0.0.7", "example.com", "shop.example.org"]),
    st.builds("{}.{}".format, PIECES, st.sampled_from(["com", "org", "de"])),
)
ADDRESSES = st.builds(
    "{}{}{}/{}?{}={}#{}".format,
    st.sampled_from(["http://", "https://", "ws://", "file:///", "HTTP://ada:pw@"]),
    HOSTS,
    st.sampled_from(["", ":8123"]),
    st.lists(PIECES, max_size=3).map("/".join),
    PIECES,
    PIECES,
    PIECES,
)
PATHS = st.one_of(
    st.builds(
        "/{}/{}.{}".format,
        st.lists(PIECES, min_size=1, max_size=4).map("/".join),
        PIECES,
        st.sampled_from(["txt", "pdf", "json"]),
    ),
    st.builds("{}:/{}".format, st.sampled_from(["workspace", "home", "documents"]), PIECES),
    st.builds("C:\\{}\\{}.bin".format, PIECES, DIGESTS),
    st.builds("~/.{}/{}/".format, PIECES, PIECES),
)
PLAIN = st.builds(
    PlainSelector,
    kind=st.just("role"),
    name=st.text(string.ascii_letters + " \"\\'>=#.", min_size=1, max_size=15).filter(str.strip),
    word=st.sampled_from(sorted(ROLE_WORDS)),
    regions=st.lists(st.builds(Region, name=PIECES), max_size=2).map(tuple),
    nth=st.one_of(st.none(), st.integers(1, 30)),
).map(render_plain)
SELECTORS = st.one_of(
    PLAIN,
    st.builds(
        "{}={}".format, st.sampled_from(["css", "xpath", "testid", "ref", "label", "text", "data-testid"]), PIECES
    ),
    st.builds("#{} .{} > li:nth-child({})".format, PIECES, PIECES, st.integers(1, 9)),
    st.builds("//div[@id='{}']/a[{}]".format, PIECES, st.integers(1, 9)),
    st.builds("table >> nth={}".format, st.integers(0, 9)),
    st.builds('div.{}[data-x="{}"]'.format, PIECES, PIECES),
)
FIGURES = st.one_of(
    st.builds("£{:,.2f}".format, st.floats(0, 1e6)),
    st.builds("{} ms".format, st.integers(0, 9999)),
    st.builds("{} %".format, st.integers(0, 100)),
    st.datetimes().map(lambda each: each.isoformat(" ", "seconds")),
    st.times().map(lambda each: each.isoformat("minutes")),
)
PARTS = st.one_of(
    WORDS,
    IDS,
    ADDRESSES,
    PATHS,
    SELECTORS,
    FIGURES,
    st.sampled_from(["→", "“", "”", "surehand run x", "--yes", "\n", "\u202e", "—"]),
)
TEXTS = st.lists(PARTS, max_size=8).map(" ".join)


@settings(max_examples=examples(400))
@given(TEXTS)
def test_nothing_is_spoken_that_only_a_screen_can_show(text: str) -> None:
    spoken = speak(text)
    assert not (found := SCREEN_ONLY.search(spoken)), (found, spoken)


@given(st.text(max_size=200))
def test_whatever_a_page_says_is_spoken_in_words(text: str) -> None:
    assert not (found := SCREEN_ONLY.search(speak(f"I read it: “{text}”"))), found


@given(st.one_of(IDS, ADDRESSES, PATHS, SELECTORS), WORDS)
def test_no_long_piece_of_a_technical_name_is_spoken(name: str, around: str) -> None:
    spoken = speak(f"This failed: {around} {name}. Nothing was changed.")
    assert name not in spoken
    assert "Nothing was changed." in spoken or len(spoken) > LONGEST - 60


@given(TEXTS)
def test_what_is_spoken_is_short_and_never_empty(text: str) -> None:
    assert 0 < len(speak(text)) <= LONGEST


@given(st.lists(st.text(string.ascii_letters + "äßé猫'’", min_size=1, max_size=12), min_size=1, max_size=25))
def test_plain_words_stay_as_they_are(words: list[str]) -> None:
    sentence = f"{' '.join(words)}."
    assert speak(sentence) == sentence


@given(TEXTS)
def test_the_sentences_of_a_reply_make_the_reply_again(text: str) -> None:
    spoken = speak(text)
    assert " ".join(split_sentences(spoken)) == spoken


@each_case(
    "written, spoken",
    [
        ("It costs £20.00.", "It costs twenty pounds."),
        ("It costs £1,249.50.", "It costs one thousand two hundred and forty-nine pounds fifty."),
        ("It costs 24.00 EUR or $1.", "It costs twenty-four euros or one dollar."),
        ("It took 1.8 s.", "It took one point eight seconds."),
        ("It took 1 s.", "It took one second."),
        ("The volume is at 40 %.", "The volume is at forty percent."),
        ("It is -5 °C.", "It is minus five degrees Celsius."),
        ("At 14:30 and 09:05.", "At two thirty p.m. and nine oh five a.m."),
        ("At 9:05 pm, 12:00 and 00:00.", "At nine oh five p.m., noon and midnight."),
        ("Due 2026-11-23.", "Due the twenty-third of November twenty twenty-six."),
        ("On 2001-01-02T05:10:08Z.", "On the second of January two thousand and one at five ten a.m."),
        ("3/5 done in version 1.2.3.", "three out of five done in version one point two point three."),
        ("The 2nd of 1,234 files.", "The second of one thousand two hundred and thirty-four files."),
        ("Room 007, order 10023391.", "Room zero zero seven, order one zero zero two three three nine one."),
        ("5–10 people & a dog → home", "five to ten people and a dog to home"),
    ],
)
def test_figures_are_told_in_words(written: str, spoken: str) -> None:
    assert speak(written) == spoken


@each_case(
    "written, spoken",
    [
        (
            "I opened http://127.0.0.1:8123/shop/basket and read the text of testid=total; the page at 127.0.0.1 says: “£20.00”.",
            "I opened a page on this computer and read the text of “total”; the page on this computer says: “twenty pounds”.",
        ),
        ('I clicked link "Blue mug".', "I clicked the link “Blue mug”."),
        ('I clicked button "Save" in "Address" nth 2.', "I clicked the second button “Save” in “Address”."),
        ("Write /home/ada/Documents/notes.txt: shall I do that?", "Write notes.txt: shall I do that?"),
        ("I clicked css=#main > a.", "I clicked a part of the page."),
        (
            "No saved run “x” in this workspace. surehand sessions list shows the saved runs.",
            "No saved run “x” in this workspace.",
        ),
        ("Add --yes. Nothing was changed.", "Nothing was changed."),
        ("Node.js, C and .NET are fine.", "Node.js, C and .NET are fine."),
        ("The page at https://www.example.com:8443/a?b=c says so.", "The page at example.com says so."),
        ("I wrote C:\\Users\\ada\\notes.txt.", "I wrote notes.txt."),
    ],
)
def test_things_are_called_as_people_call_them(written: str, spoken: str) -> None:
    assert speak(written) == spoken


def test_what_a_plan_names_is_called_by_its_name_wherever_a_reply_writes_it() -> None:
    plan = [
        {"args": {"selector": "#main .price span"}},
        {"args": {"path": "/home/ada/My Documents/total.txt"}},
        {"args": {"url": "http://127.0.0.1:8123/shop"}},
        {"args": {"selector": 7, "path": None}},
        "nonsense",
    ]
    told = "I read the text of #main .price span and wrote /home/ada/My Documents/total.txt."
    assert speak(told, list_names(plan)) == "I read the text of a part of the page and wrote total.txt."


def test_a_word_that_is_an_argument_stays_a_word() -> None:
    plan = [{"args": {"target": "text", "selector": 'value "price"'}}]
    assert speak('I read the text of value "price".', list_names(plan)) == "I read the text of “price”."


def test_a_long_reply_ends_with_a_whole_sentence_and_says_that_there_is_more() -> None:
    spoken = speak("I clicked the button. " * 40)
    assert spoken.endswith("I clicked the button. There is more on the screen.")


def test_a_reply_of_one_endless_sentence_is_cut_between_words() -> None:
    spoken = speak("word " * 200)
    assert re.fullmatch(r"(word )*word\. There is more on the screen\.", spoken)


def test_names_are_judged_one_by_one() -> None:
    assert name_element('field "Email"') == "the field “Email”"
    assert name_element("label=Email") == "the field “Email”"
    assert name_element("testid=btn-3f92ac81") == "a part of the page"
    assert name_element('every button "Like"') == "every button “Like”"
    assert name_element('button "') == "a part of the page"
    assert name_file("/srv/3f9ab12cd34ef567.json") == "a file"
    assert name_file("/srv/data/") == "data"
    assert name_file("documents:/tax 2026.pdf") == "tax 2026.pdf"
    assert name_address("http://192.168.1.5:8123/x") == "a web address"


def test_uuids_are_of_no_use_to_ears() -> None:
    assert speak(f"Session {uuid.UUID(int=7)} ended.") == "Session an id ended."


def test_sentences_are_told_apart_by_their_ends() -> None:
    assert split_sentences("One. Two? “Three.” Four, e.g. five") == ["One.", "Two?", "“Three.”", "Four, e.g. five"]
    assert all(one for one, _ in pairwise(split_sentences("A. B. C.")))
