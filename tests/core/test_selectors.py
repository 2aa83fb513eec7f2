import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import TargetError
from core.selectors import (
    ALIASES,
    OTHER_WORDS,
    PREFIXES,
    ROLE_WORDS,
    PlainSelector,
    Region,
    SelectorSpec,
    parse_selector,
    quote_name,
    render_plain,
    render_selector,
)

NAMES = st.text(min_size=1, max_size=30).filter(lambda text: bool(text.strip()))
REGIONS = st.builds(Region, NAMES, st.sampled_from(["", *ROLE_WORDS]))
REST = {"regions": st.lists(REGIONS, max_size=3).map(tuple), "nth": st.none() | st.integers(1, 999)}
PLAIN = st.one_of(
    st.builds(PlainSelector, st.just("role"), NAMES, st.sampled_from(list(ROLE_WORDS)), **REST),
    st.builds(PlainSelector, st.sampled_from([*OTHER_WORDS, *PREFIXES]), NAMES, **REST),
)
FRAMES = st.lists(NAMES, max_size=3).map(tuple)

LITERALS = [
    "#email",
    "div.card > a[href^='/x']",
    'text="Log in"',
    "text=Log in",
    '"Log in"',
    "//button[text()='in \"x\" nth 2']",
    "xpath=//a",
    'role=button[name="Save"i]',
    "css=ul >> li >> nth=2",
    'internal:role=button[name="Save"i]',
    'button:has-text("Save")',
    'button >> text="Save"',
    'input[name="q"] >> visible=true',
    "  #indented  ",
    "button",
    "label",
    "id=email",
    "data-testid=x",
    "aria-ref=e12",
    "iframe >> internal:control=enter-frame >> #x",
    "a, b in c nth 2",
]


@given(PLAIN, FRAMES)
def test_a_rendered_selector_is_parsed_into_the_same_parts(plain: PlainSelector, frames: tuple[str, ...]) -> None:
    text = render_selector(SelectorSpec("", plain, frames))
    assert parse_selector(text) == SelectorSpec(text, plain, frames)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ('checkbox in "Ada"', PlainSelector("role", "", "checkbox", (Region("Ada"),))),
        ("check box  in row 'Ada'", PlainSelector("role", "", "checkbox", (Region("Ada", "row"),))),
        (
            'field in "Ada" in dialog "Team" nth 2',
            PlainSelector("field", "", "", (Region("Ada"), Region("Team", "dialog")), 2),
        ),
    ],
)
def test_an_element_in_a_region_needs_no_name(text: str, plain: PlainSelector) -> None:
    assert parse_selector(text) == SelectorSpec(text, plain)
    assert parse_selector(render_plain(plain)).core == plain


@pytest.mark.parametrize("text", ['text in "Ada"', 'value in "Ada"', 'control in "Ada"', 'buton in "Ada"'])
def test_what_is_too_vague_without_a_name_is_refused(text: str) -> None:
    spec, refused = try_to_parse(text)
    assert spec is None
    assert refused is not None
    assert refused.code == "bad_selector"


@given(st.text(max_size=60))
def test_any_text_is_parsed_or_refused_with_a_position_in_it(text: str) -> None:
    spec, refused = try_to_parse(text)
    assert spec is None or spec.source == text
    assert refused is None or (refused.code == "bad_selector" and 1 <= refused.evidence["position"] <= len(text) + 1)


def try_to_parse(text: str) -> tuple[SelectorSpec | None, TargetError | None]:
    try:
        return parse_selector(text), None
    except TargetError as error:
        return None, error


@pytest.mark.parametrize("text", LITERALS)
def test_a_literal_selector_is_passed_on_byte_for_byte(text: str) -> None:
    assert parse_selector(text) == SelectorSpec(text, text)


@pytest.mark.parametrize("text", [*(each for each in LITERALS if not each.startswith(" "))])
def test_a_literal_selector_in_a_frame_is_passed_on_byte_for_byte(text: str) -> None:
    assert parse_selector(f'frame "Pay" >> {text}') == SelectorSpec(f'frame "Pay" >> {text}', text, ("Pay",))


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ('button "Log in"', PlainSelector("role", "Log in", "button")),
        ("button 'Log in'", PlainSelector("role", "Log in", "button")),
        ('  Button   "Log in" ', PlainSelector("role", "Log in", "button")),
        ('button"Log in"', PlainSelector("role", "Log in", "button")),
        (r'text "Say \"hi\" \\ C:\new"', PlainSelector("text", r'Say "hi" \ C:\new')),
        ('field "日本語 😀"', PlainSelector("field", "日本語 😀")),
        (
            'control "a" in "b" in dialog "c" nth 2',
            PlainSelector("control", "a", "", (Region("b"), Region("c", "dialog")), 2),
        ),
        ("label=First name", PlainSelector("label", "First name")),
        ('label=First name in "Billing" nth 3', PlainSelector("label", "First name", "", (Region("Billing"),), 3)),
        ('label="Stay in nth 2"', PlainSelector("label", "Stay in nth 2")),
        ("placeholder=Come in here", PlainSelector("placeholder", "Come in here")),
        ("testid=save", PlainSelector("testid", "save")),
        ('value "Total" in "Basket"', PlainSelector("value", "Total", "", (Region("Basket"),))),
        ("ref=f1e12", PlainSelector("ref", "f1e12")),
        ('check box "Terms"', PlainSelector("role", "Terms", "checkbox")),
        ('drop-down "Country"', PlainSelector("role", "Country", "combobox")),
    ],
)
def test_a_plain_form_is_taken_to_pieces(text: str, plain: PlainSelector) -> None:
    assert parse_selector(text).core == plain


def test_frames_nest_and_only_forms_without_a_frame_search_all_of_them() -> None:
    spec = parse_selector('frame "Shop" >> frame "Pay" >> field "Card number"')
    assert spec.frames == ("Shop", "Pay")
    assert not spec.searches_frames
    assert parse_selector('field "Card number"').searches_frames
    assert parse_selector('control "Pay"').searches_frames
    assert parse_selector('value "Total"').searches_frames
    assert not parse_selector('button "Pay"').searches_frames
    assert not parse_selector("#pay").searches_frames


@pytest.mark.parametrize(
    ("text", "position", "words"),
    [
        ("", 1, "empty"),
        ("   ", 1, "empty"),
        ('buton "Log in"', 1, "Did you mean button?"),
        ('gizmo "Log in"', 1, "control"),
        ('button "Log in', 8, "never closed"),
        ('button ""', 8, "name is empty"),
        ('button "a" "b"', 11, "nothing is known"),
        ('button "a" nth 0', 16, "from 1"),
        ('button "a" nth two', 16, "from 1"),
        ('button "a" in', 11, "nothing is known"),
        ('button "a" in b', 15, "straight quotes"),
        ('button "a" in field "b"', 15, "can't hold"),
        ("button “Log in”", 8, "straight quotes"),
        ('frame "Pay"', 12, ">>"),
        ('frame "Pay" >> ', 12, ">>"),
        ("label=", 7, "needs a value"),
    ],
)
def test_a_bad_plain_form_is_refused_with_position_and_advice(text: str, position: int, words: str) -> None:
    with pytest.raises(TargetError) as caught:
        parse_selector(text)
    assert caught.value.code == "bad_selector"
    assert caught.value.evidence["position"] == position
    assert words in str(caught.value)


def test_every_alias_stands_for_a_known_word() -> None:
    assert set(ALIASES.values()) <= {*ROLE_WORDS, *OTHER_WORDS}
    assert not set(ALIASES) & {*ROLE_WORDS, *OTHER_WORDS}


@given(NAMES)
def test_a_quoted_name_is_read_back(name: str) -> None:
    core = parse_selector(f"text {quote_name(name)}").core
    assert isinstance(core, PlainSelector)
    assert core.name == name
