"""What people say of how a thing looks."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import TargetError
from core.selectors.colour_names import COLOUR_ALIASES, COLOUR_FAMILIES, find_colour
from core.selectors.selectors import parse_selector
from core.selectors.visual_descriptions import (
    EXTREMES,
    KINDS,
    SHADES,
    SIDES,
    SIZES,
    STYLES,
    VisualDescription,
    read_visual_description,
    visual_query,
)

KIND_OF = {word: kind for kind, words in reversed(KINDS.items()) for word in words}
COLOURS = st.sampled_from([name for names in COLOUR_FAMILIES.values() for name in names])
NOTHING = st.just("")


@pytest.mark.parametrize(
    ("said", "look"),
    [
        ("large red circle", VisualDescription("circle", colour="red", size="large")),
        ("the big red dots", VisualDescription("circle", colour="red", size="large")),
        ("a red-coloured triangle", VisualDescription("triangle", colour="red")),
        ("light blue box", VisualDescription("box", colour="blue", shade="light")),
        ("sky blue line", VisualDescription("line", colour="skyblue")),
        ("aqua thing", VisualDescription(colour="cyan")),
        ("dark gray square", VisualDescription("square", colour="grey", shade="dark")),
        ("q", VisualDescription(character="q")),
        ("small Q", VisualDescription(character="Q", size="small")),
        ("a", VisualDescription(character="a")),
        ("a large a", VisualDescription(character="a", size="large")),
        ("digit 7", VisualDescription("digit", character="7")),
        ("5-sided polygon", VisualDescription("polygon", sides=5)),
        ("six-sided shape", VisualDescription("polygon", sides=6)),
        ("green hexagon", VisualDescription("polygon", sides=6, colour="green")),
        ("40px circle", VisualDescription("circle", width_px=40)),
        ("40 x 30 px box", VisualDescription("box", width_px=40, height_px=30)),
        ("box 40 by 30 pixels", VisualDescription("box", width_px=40, height_px=30)),
        ("leftmost hollow star", VisualDescription("star", style="hollow", extreme="leftmost")),
        ("bold text", VisualDescription("text", style="bold")),
        ("red button", VisualDescription("button", colour="red")),
    ],
)
def test_a_look_is_read_from_plain_words(said: str, look: VisualDescription) -> None:
    assert read_visual_description(said) == look


@given(
    size=st.sampled_from(sorted(SIZES)) | NOTHING,
    style=st.sampled_from(sorted(STYLES)) | NOTHING,
    shade=st.sampled_from(sorted(SHADES)) | NOTHING,
    colour=COLOURS | NOTHING,
    extreme=st.sampled_from(sorted(EXTREMES)) | NOTHING,
    kind=st.sampled_from(sorted(KIND_OF)).flatmap(lambda word: st.sampled_from([word, f"{word}s"])),
)
def test_every_word_says_one_thing_whatever_stands_beside_it(
    size: str, style: str, shade: str, colour: str, extreme: str, kind: str
) -> None:
    words = [extreme, size, style, shade, colour, kind]
    before = shade or style or size
    joined = find_colour(before + colour) if before and colour else ""
    if joined and before == size:  # medium blue is a colour of its own
        size = ""
    look = read_visual_description(" ".join(word for word in words if word))
    assert (look.size, look.style, look.extreme) == (
        SIZES.get(size, ""),
        STYLES.get(style, ""),
        EXTREMES.get(extreme, ""),
    )
    assert look.shade == SHADES.get(shade, "")
    assert look.colour in {colour, joined}
    assert look.kind == KIND_OF.get(kind, KIND_OF.get(kind.removesuffix("s")))


@given(st.text(max_size=40))
def test_any_text_is_a_look_or_refused_as_no_selector(text: str) -> None:
    look, refusal = read_or_refuse(text)
    assert refusal is None or refusal.code == "bad_selector"
    assert set(visual_query(look)) == set(visual_query(VisualDescription()))


def read_or_refuse(text: str) -> tuple[VisualDescription, TargetError | None]:
    try:
        return read_visual_description(text), None
    except TargetError as error:
        return VisualDescription(), error


@pytest.mark.parametrize(
    "said",
    [
        "shiny circle",
        "red blue circle",
        "large small box",
        "circle square",
        "red circle 7",
        "2-sided polygon",
        "5-sided circle",
    ],
)
def test_a_look_that_is_no_look_is_refused_with_the_words(said: str) -> None:
    with pytest.raises(TargetError, match=re.escape(repr(said))) as caught:
        read_visual_description(said)
    assert caught.value.code == "bad_selector"
    assert "large red circle" in caught.value.hint


def test_a_selector_with_a_look_that_cannot_be_understood_is_refused_with_its_place() -> None:
    with pytest.raises(TargetError, match="shiny") as caught:
        parse_selector('every look "shiny circle"')
    assert caught.value.code == "bad_selector"
    assert caught.value.evidence["position"] == 12


def test_every_colour_belongs_to_one_family_and_every_alias_to_a_colour() -> None:
    names = [name for names in COLOUR_FAMILIES.values() for name in names]
    assert len(names) == len(set(names))
    assert all(family in names for family in COLOUR_FAMILIES)
    assert all(find_colour(alias) == name for alias, name in COLOUR_ALIASES.items())
    assert find_colour("lightgray") == "lightgrey"
    assert find_colour("shiny") == ""


def test_no_word_of_looks_says_two_things() -> None:
    said = [*SIZES, *EXTREMES, *SHADES, *STYLES, *SIDES, *(word for words in KINDS.values() for word in words)]
    assert {word for word in said if said.count(word) > 1} == {"figure"}
