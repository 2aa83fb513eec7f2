import pytest

from core.base.errors import ActionError
from core.selectors.keys import KEYS, MODIFIERS, parse_keys
from tests.cases import each_case


@pytest.mark.parametrize(
    ("said", "key"),
    [
        ("ctrl+a", "Control+a"),
        ("Cmd", "Meta"),
        ("Cmd + Shift + P", "Meta+Shift+P"),
        ("Return", "Enter"),
        ("Esc", "Escape"),
        ("page down", "PageDown"),
        ("arrow up", "ArrowUp"),
        ("down key", "ArrowDown"),
        ("left arrow", "ArrowLeft"),
        ("Control++", "Control++"),
        ("+", "+"),
        (" ", "Space"),
        ("A", "A"),
        ("Control+A", "Control+A"),
        ("f5", "F5"),
        ("ControlOrMeta+C", "ControlOrMeta+C"),
    ],
)
def test_what_people_call_a_key_becomes_its_name(said: str, key: str) -> None:
    assert parse_keys(said) == key


@each_case("name", sorted({*KEYS.values(), *MODIFIERS.values()}))
def test_every_name_stands_for_itself(name: str) -> None:
    assert parse_keys(name) == name


@pytest.mark.parametrize(
    ("said", "advice"),
    [("entr", "Enter"), ("hello", "type"), ("ctrl+", "type"), ("", "type"), ("é", "type"), ("kontrol+a", "Control")],
)
def test_an_unknown_key_is_refused_with_the_nearest(said: str, advice: str) -> None:
    with pytest.raises(ActionError) as caught:
        parse_keys(said)
    assert caught.value.code == "unknown_key"
    assert advice in str(caught.value)
