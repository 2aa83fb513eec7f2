import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.desktop.tools.read_back import has_typed, judge_other
from actuators.desktop.tools.typing_ways import split_keys
from core.base.errors import ActionError

texts = st.text(alphabet="ab ", max_size=8)
SOME = st.text(alphabet="ab ", min_size=1, max_size=8)


@given(before=texts, place=st.integers(0, 8), text=SOME)
def test_what_was_inserted_anywhere_is_seen(before: str, place: int, text: str):
    now = before[:place] + text + before[place:]
    assert has_typed(now, before, text) or now.count(text) == before.count(text)


@given(before=texts, text=SOME)
def test_what_was_appended_is_seen(before: str, text: str):
    if (before + text).count(text) > before.count(text):
        assert has_typed(before + text, before, text)


@given(now=texts, before=texts, text=SOME)
def test_what_is_not_there_is_never_seen(now: str, before: str, text: str):
    if text not in now:
        assert not has_typed(now, before, text)


def test_another_text_is_an_error():
    with pytest.raises(ActionError) as caught:
        judge_other("a>b", "", "a<b")
    assert caught.value.code == "not_typed"
    assert caught.value.evidence == {"typed": "a<b", "before": "", "now": "a>b"}


@pytest.mark.parametrize(("now", "before", "text"), [("", "", "send\n"), ("abc", "abc", "b")])
def test_what_may_have_a_reason_is_unverified(now: str, before: str, text: str):
    assert judge_other(now, before, text).verdict == "unverified"


@pytest.mark.parametrize(
    ("keys", "names"),
    [
        ("a", ["a"]),
        ("A", ["A"]),
        ("+", ["+"]),
        ("Control+A", ["Control", "a"]),
        ("Control++", ["Control", "+"]),
        ("Control+Shift+Enter", ["Control", "Shift", "Enter"]),
        ("Shift+Tab", ["Shift", "Tab"]),
    ],
)
def test_a_combination_is_divided_into(keys: str, names: list[str]):
    assert split_keys(keys) == names
