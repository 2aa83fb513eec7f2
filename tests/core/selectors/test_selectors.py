from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import TargetError
from core.selectors.selectors import (
    ALIASES,
    LAST,
    OTHER_WORDS,
    PREFIXES,
    ROLE_WORDS,
    Placement,
    PlainSelector,
    Ranking,
    Region,
    SelectorSpec,
    list_weaker,
    narrow_plain,
    parse_selector,
    parse_single_selector,
    quote_name,
    render_plain,
    render_selector,
)

NAMES = st.text(min_size=1, max_size=30).filter(lambda text: bool(text.strip()))
NUMBERS = st.integers(1, 999)
SIDES = ("above", "below", "left of", "right of")
KINDS = st.one_of(
    st.builds(PlainSelector, st.just("role"), NAMES, st.sampled_from(list(ROLE_WORDS))),
    st.builds(PlainSelector, st.sampled_from([*(set(OTHER_WORDS) - {"look"}), *(set(PREFIXES) - {"ref"})]), NAMES),
    st.builds(
        PlainSelector, st.just("look"), st.sampled_from(["large red circle", "the dark blue Q", "5-sided shape"])
    ),
)


def _complete(plain: PlainSelector, **parts: Any) -> PlainSelector:
    return replace(plain, **parts)


def add_modifiers(forms: st.SearchStrategy[PlainSelector]) -> st.SearchStrategy[PlainSelector]:
    """Forms with regions, exceptions and places that are given by name or by one of the given forms."""
    regions = st.builds(Region, NAMES, st.sampled_from(["", *ROLE_WORDS])) | st.builds(
        Region, st.just(""), st.just(""), forms
    )
    sides = st.sampled_from(SIDES)
    places = st.builds(Placement, sides, NAMES) | st.builds(Placement, sides, st.just(""), forms)
    return st.builds(
        _complete,
        KINDS,
        regions=st.lists(regions, max_size=2).map(tuple),
        texts=st.lists(NAMES, max_size=2).map(tuple),
        exceptions=st.lists(NAMES, max_size=2).map(tuple),
        placements=st.lists(places, max_size=2).map(tuple),
    )


PARTS = st.recursive(KINDS, add_modifiers, max_leaves=4)
RANKINGS = st.builds(Ranking, st.sampled_from(["lowest", "highest", "newest", "oldest"]), NAMES)
PLAIN = st.one_of(
    PARTS,
    st.builds(replace, PARTS, nth=NUMBERS | st.just(LAST), ranking=st.none() | RANKINGS),
    st.builds(replace, PARTS, quantity=NUMBERS, ranking=st.none() | RANKINGS),
    st.builds(replace, PARTS, quantity=st.just("every")),
    st.builds(replace, KINDS, placements=st.builds(Placement, st.just("near"), NAMES).map(lambda near: (near,))),
    st.builds(PlainSelector, st.just("ref"), NAMES),
)
FRAMES = st.lists(NAMES, max_size=3).map(tuple)

ADA = Region("", "", PlainSelector("record", "Ada"))
HOME = Region("", "", PlainSelector("label", "Home", nth=2))
CHEAPEST = Region("", "", PlainSelector("record", "", "", (Region("Flights"),), ranking=Ranking("lowest", "Price")))

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
    "div # x",
    "button # x",
    '#save >> text="a # b"',
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
        ("row nth last", PlainSelector("role", "", "row", nth=LAST)),
        ('button near "Zip"', PlainSelector("role", "", "button", placements=(Placement("near", "Zip"),))),
        ('record with lowest "Price"', PlainSelector("record", "", ranking=Ranking("lowest", "Price"))),
        ("every check box", PlainSelector("role", "", "checkbox", quantity="every")),
        ('every field in "Address"', PlainSelector("field", "", "", (Region("Address"),), quantity="every")),
        ("first 3 record", PlainSelector("record", "", quantity=3)),
        ('row with text "Tea"', PlainSelector("role", "", "row", texts=("Tea",))),
        (
            'checkbox in (row with text "Tea" with text "3")',
            PlainSelector(
                "role", "", "checkbox", (Region("", "", PlainSelector("role", "", "row", texts=("Tea", "3"))),)
            ),
        ),
        ("navigation", PlainSelector("role", "", "navigation")),
    ],
)
def test_an_element_that_something_else_singles_out_needs_no_name(text: str, plain: PlainSelector) -> None:
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


@given(PLAIN, FRAMES, st.text(max_size=30))
def test_a_remark_behind_a_plain_form_is_for_people(plain: PlainSelector, frames: tuple[str, ...], remark: str) -> None:
    text = render_selector(SelectorSpec("", plain, frames))
    assert parse_selector(f"{text} # {remark}") == SelectorSpec(f"{text} # {remark}", plain, frames)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ('button "a # b"', PlainSelector("role", "a # b", "button")),
        ('button "C" # ticked, "new" nth 2', PlainSelector("role", "C", "button")),
        ('button "C" nth 2 #', PlainSelector("role", "C", "button", nth=2)),
        ("ref=e12 # ticked", PlainSelector("ref", "e12")),
        ("label=Item # ticked", PlainSelector("label", "Item")),
        ("label=Item #5", PlainSelector("label", "Item #5")),
        ("checkbox # ticked", PlainSelector("role", "", "checkbox")),
    ],
)
def test_a_remark_begins_with_a_sign_that_stands_alone(text: str, plain: PlainSelector) -> None:
    assert parse_selector(text).core == plain


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
        ('every button "Like"', PlainSelector("role", "Like", "button", quantity="every")),
        ('first 3 link "Read"', PlainSelector("role", "Read", "link", quantity=3)),
        ('every testid="like"', PlainSelector("testid", "like", quantity="every")),
        ('icon "trash"', PlainSelector("icon", "trash")),
        ('look "large red circle"', PlainSelector("look", "large red circle")),
        ('record "Ada"', PlainSelector("record", "Ada")),
        ('button "Edit" in record "Ada"', PlainSelector("role", "Edit", "button", (ADA,))),
        ('button "Edit" in ( record "Ada" )', PlainSelector("role", "Edit", "button", (ADA,))),
        ("label=First name in (label=Home nth 2)", PlainSelector("label", "First name", "", (HOME,))),
        (
            'button "Book" in (record in "Flights" with lowest "Price")',
            PlainSelector("role", "Book", "button", (CHEAPEST,)),
        ),
        (
            'every checkbox except "Ada", "Bob" in "Team" except "Cy"',
            PlainSelector("role", "", "checkbox", (Region("Team"),), quantity="every", exceptions=("Ada", "Bob", "Cy")),
        ),
        (
            'field "Amount" right of "Total" below heading "Sums"',
            PlainSelector(
                "field",
                "Amount",
                placements=(
                    Placement("right of", "Total"),
                    Placement("below", "", PlainSelector("role", "Sums", "heading")),
                ),
            ),
        ),
        ('check box "Terms"', PlainSelector("role", "Terms", "checkbox")),
        ('drop-down "Country"', PlainSelector("role", "Country", "combobox")),
    ],
)
def test_a_plain_form_is_taken_to_pieces(text: str, plain: PlainSelector) -> None:
    assert parse_selector(text).core == plain


@pytest.mark.parametrize("text", ['every button "Like"', "first 2 row", ' frame "Shop" >> every link "Buy"'])
def test_several_elements_are_refused_where_one_is_meant(text: str) -> None:
    assert parse_selector(text).names_several
    with pytest.raises(TargetError, match="several elements") as caught:
        parse_single_selector(text)
    assert caught.value.code == "bad_selector"


@pytest.mark.parametrize("text", ['button "Like"', "#every", 'button "Like" nth last', 'record with lowest "Price"'])
def test_one_element_is_taken_where_one_is_meant(text: str) -> None:
    assert parse_single_selector(text) == parse_selector(text)


@given(PLAIN)
def test_a_form_without_one_of_its_parts_is_a_form_too(plain: PlainSelector) -> None:
    parts = list_weaker(plain)
    number = len(plain.regions) + len(plain.texts) + len(plain.exceptions) + len(plain.placements)
    assert len(parts) == number + (plain.ranking is not None) + (plain.nth is not None)
    for part, weaker in parts:
        assert part in render_plain(plain) or part.startswith("except ")
        assert len(render_plain(weaker)) < len(render_plain(plain))


@given(PLAIN, NUMBERS)
def test_a_number_singles_out_one_match_where_it_counts_the_same_matches(plain: PlainSelector, number: int) -> None:
    narrowed = narrow_plain(plain, number)
    if narrowed is None:
        assert plain.names_several or plain.placements or plain.ranking or plain.nth
    else:
        assert render_plain(narrowed) == f"{render_plain(plain)} nth {number}"


@pytest.mark.parametrize("source", ['frame "Shop" >> frame "Pay"', ' frame "Shop" >> frame "Pay" # not answering'])
def test_a_frame_itself_is_named_by_what_leads_into_it(source: str) -> None:
    spec = parse_selector(source)
    assert (spec.core, spec.frames) == (PlainSelector("frame", "Pay"), ("Shop",))
    assert render_selector(spec) == 'frame "Shop" >> frame "Pay"'


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
        ('button "a" "b"', 11, "is not understood"),
        ('button "a" nth 0', 16, "from 1"),
        ('button "a" nth two', 16, "from 1"),
        ('button "a" in', 11, "is not understood"),
        ('button "a" in b', 15, "straight quotes"),
        ('button "a" in field "b"', 15, "can't hold"),
        ("button “Log in”", 8, "straight quotes"),
        ('frame "Pay" >> ', 12, ">>"),
        ("label=", 7, "needs a value"),
        ("every #id", 7, "kind of element"),
        ('every text in "Ada"', 7, "not a kind of element"),
        ('first 0 link "Read"', 1, "from 1"),
        ('button "a" in (button "b"', 26, "not complete"),
        ('button "a" in (#b)', 16, "kind of element"),
        ('button "a" in (every button "b")', 16, "one element"),
        ('button "a" in (frame "b" >> row "c")', 16, "frame"),
        ('button "a")', 11, "is not understood"),
        ('button "a" #b', 11, "is not understood"),
        ('button "a" with text b', 11, "is not understood"),
        ('button "a" with cheapest "b"', 11, 'with lowest "Price"'),
        ('button "a" except b', 11, "is not understood"),
        ('every button "a" nth 2', 1, "several"),
        ('every button "a" with lowest "b"', 1, "all of them"),
        ('every button "a" near "b"', 1, "nearest"),
        ('button "a" near "b" nth 2', 1, "nearest"),
        ('ref=e1 near "b"', 1, "ref"),
        ("button " + "".join("in (button " for _ in range(9)) + 'in "a"' + ")" * 9, 99, "too deeply"),
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
