"""What a field is told to hold, however the keys that are heard and what it shows of them come apart."""

from hypothesis import given
from hypothesis import strategies as st

from actuators.desktop.ports.desktop import Element
from actuators.desktop.ports.recordings import RawInput
from actuators.desktop.recording.typing_acts import TypingRun

FIELD = Element("field", "textbox", "Note", "", states=frozenset({"editable", "visible"}))
STEPS = st.lists(st.sampled_from(["the field takes a key", "a key is heard", "the field is read"]), max_size=60)


@given(st.text("ab ", max_size=20), STEPS)
def test_a_text_is_told_once_whether_its_field_is_read_before_or_after_its_keys_are_heard(
    text: str, steps: list[str]
) -> None:
    run = TypingRun("typed 1", "window", FIELD, "field", "", "")
    taken = heard = 0
    for step in steps:
        if step == "the field takes a key":
            taken = min(taken + 1, len(text))
        elif step == "the field is read":
            run.read(text[:taken])
        elif heard < len(text):
            run.take(RawInput("key", text=text[heard]))
            heard += 1
    for each in text[heard:]:
        run.take(RawInput("key", text=each))
    assert (run.guess(), run.typed) == (text, text)
