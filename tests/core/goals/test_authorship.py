"""A value is the person's where it stands in their words byte for byte and as a whole; else it is the model's."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.goals.authorship import list_written, stands_in
from core.goals.references import Reference, Template

SAID = ('please put "two mugs" into notes.txt, 3 times, at https://shop.example/mugs.',)


@pytest.mark.parametrize(
    "value",
    ["two mugs", "notes.txt", "3", 3, "https://shop.example/mugs", ["notes.txt", "two mugs"], {"3": "notes.txt"}],
)
def test_what_was_said_is_the_persons(value: object) -> None:
    assert stands_in(value, SAID)


@pytest.mark.parametrize(
    "value",
    [
        "Notes.txt",
        "notes",
        "note",
        "txt",
        "otes.txt",
        "shop.example",
        "https://shop.example/",
        "wo mug",
        "",
        " ",
        True,
        False,
        None,
        30,
        3.5,
        [],
        {},
        ["notes.txt", "other.txt"],
        {"notes.txt": "x"},
    ],
)
def test_what_was_not_said_as_it_is_or_only_as_a_part_is_the_models(value: object) -> None:
    assert not stands_in(value, SAID)


def test_a_name_at_the_end_of_a_path_is_another_place_and_so_the_models() -> None:
    assert not stands_in("notes.txt", ("delete /srv/me/notes.txt",))


def test_a_reference_is_nobodys_words_and_the_text_around_it_counts() -> None:
    reference = Reference("g0", "text")
    assert stands_in(reference, ())
    assert stands_in(Template(("two mugs", " ", reference)), SAID)
    assert not stands_in(Template(("three mugs ", reference)), SAID)


@given(st.text(min_size=1), st.text(), st.text())
def test_a_text_in_quotation_marks_is_the_persons(value: str, before: str, after: str) -> None:
    assume(value.strip())
    assert stands_in(value, (f'{before} "{value}" {after}',))


@given(st.dictionaries(st.text(max_size=3), st.text(max_size=5) | st.integers() | st.booleans()))
def test_of_params_just_those_that_were_not_said_are_written(params: dict[str, Any]) -> None:
    assert set(list_written(params, SAID)) == {name for name, value in params.items() if not stands_in(value, SAID)}
    assert list_written(params, ()) == tuple(params)
