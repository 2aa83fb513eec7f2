from itertools import pairwise

import pytest

pytest.importorskip("Xlib", reason="python-xlib is not installed")

from hypothesis import given
from hypothesis import strategies as st

from actuators.desktop.x11.keymap import KeyMap, Stroke, divide, find_character_symbol, find_key_symbol, find_runs
from core.selectors.keys import KEYS, MODIFIERS
from tests.cases import each_case

ROWS = [(0, 0), (0x61, 0x41), (0x2C, 0x3C), (0x3C, 0x3E), (0, 0), (0, 0)]  # nothing, a A, comma less, less greater
symbols = st.lists(st.integers(1, 30), max_size=60)


def test_a_character_is_typed_with_as_little_as_possible():
    keys = KeyMap(8, ROWS)
    assert keys.find(0x61) == Stroke(9)
    assert keys.find(0x41) == Stroke(9, shift=True)
    assert keys.find(0x3C) == Stroke(11)  # not with Shift, though a key has it there, too
    assert keys.find(0x7A) is None


@given(st.sets(st.integers(8, 60)))
def test_neighbours_are_changed_together(keycodes: set[int]):
    runs = find_runs(keycodes)
    assert [first + step for first, count in runs for step in range(count)] == sorted(keycodes)
    assert all(before[0] + before[1] < after[0] for before, after in pairwise(runs))


def test_keys_that_make_nothing_and_modify_nothing_are_spare():
    assert KeyMap(8, ROWS, {12}).spare == (13,)


@each_case("name", sorted({*KEYS.values(), *MODIFIERS.values()}))
def test_every_key_that_can_be_named_has_a_symbol(name: str):
    assert find_key_symbol(name) != 0


@given(st.characters(exclude_categories=["Cs", "Cc"]))
def test_every_character_has_a_symbol_of_its_own(character: str):
    symbol = find_character_symbol(character)
    assert symbol & 0xFFFFFF == ord(character)


@given(st.characters(categories=["Cs", "Cc"]).filter(lambda each: each not in "\n\r\t"))
def test_controls_and_halves_of_characters_have_none(character: str):
    assert find_character_symbol(character) == 0


@given(text=symbols, known=st.sets(st.integers(1, 30)), spare=st.lists(st.integers(100, 120), min_size=1, unique=True))
def test_a_text_in_passages_is_the_same_text(text: list[int], known: set[int], spare: list[int]):
    passages = list(divide(text, known, spare))
    assert [symbol for passage in passages for symbol in passage.symbols] == text
    for passage in passages:
        assert set(passage.borrowed) <= set(spare)
        assert set(passage.symbols) <= known | set(passage.borrowed.values())
        assert len(set(passage.borrowed.values())) == len(passage.borrowed)
