"""What a step of a task asks for, by the words that it begins with; everything else is words to look for."""

import re
from dataclasses import dataclass
from typing import Literal

StepKind = Literal["fill", "choose", "set", "tick", "clear", "press"]

_FORMS: tuple[tuple[StepKind, re.Pattern[str]], ...] = (
    (
        "fill",
        re.compile(
            r'(?:type|enter|write) "(?P<value>.*)" (?:as|in|into|for) (?P<words>.+?)(?P<submits> and press enter)?'
        ),
    ),
    ("choose", re.compile(r"(?:choose|select|pick) (?P<value>.+) (?:as|for) (?P<words>.+)")),
    ("set", re.compile(r"set (?P<words>.+) to (?P<value>.+)")),
    ("tick", re.compile(r"(?:tick|switch on|turn on) (?P<words>.+)")),
    ("clear", re.compile(r"(?:untick|switch off|turn off) (?P<words>.+)")),
    ("press", re.compile(r"(?:press|click|follow) (?P<words>.+)")),
)


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a task.

    Attributes:
        kind: What is to be done.
        words: To what.
        value: With what; empty where it needs nothing.
        submits: Whether Enter is pressed behind it.
    """

    kind: StepKind
    words: str
    value: str = ""
    submits: bool = False


def read_step(said: str) -> Step:
    """Return what a step asks for; what begins with another word, as in “delete the row of Tea”, means something to press.

    Args:
        said: The step.
    """
    for kind, form in _FORMS:
        if match := form.fullmatch(said):
            parts = match.groupdict()
            return Step(kind, parts["words"], parts.get("value", ""), bool(parts.get("submits")))
    return Step("press", said)
