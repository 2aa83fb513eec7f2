"""Labelled sentences, and what becomes of them.

A file has one object a line: `{"id", "text", "goals": [{"domain", "verb", "params"}], "set"}`; `goals` is empty where nothing may be done.

A sentence has the right verbs if its goals have those of the label, in that order. Its arguments are right if each that the label names
is among the params of its goal, byte for byte; what a label does not name is not compared. Labels have names of their own, so `OUR_NAMES`
says where their values belong. What a rule takes for granted (the current folder, downwards) counts as if it were said, and `~/a/` is the
same path as `home:/a`. A label whose letters differ from the sentence in their case only is taken as the sentence has it.
Words of a duration ("ten minutes") are not compared with our seconds.

Answers to a question (yes, stop, help …) are read while something is open; other sentences while nothing is; what must not be
understood, in both situations.

A fifth of the sentences is closed, by a hash of the sentence: it is measured, and nobody looks at it.
"""

import hashlib
import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from actuators.verb_table import PLANNER_RULES
from core.goals.meta_goals import Goal
from core.language.interpreter import GrammarInterpreter
from core.language.meanings.interpretation import Situation

OUR_NAMES: Mapping[str, tuple[str, ...]] = {
    "target": ("selector", "target", "text", "window"),
    "path": ("path", "name", "source", "url"),
    "source": ("source", "path"),
    "destination": ("destination", "target", "name"),
    "device": ("device", "player", "app"),
    "app": ("app", "window", "name"),
    "query": ("query", "tab", "text", "url"),
    "direction": ("direction", "tab", "to"),
    "level": ("level", "value"),
    "text": ("text", "value", "content"),
}
"""Our params, by the names that labels use for them; all others have the same name."""

PATH_NAMES = frozenset({"path", "source", "destination"})
CLOSED_SHARE = 5
"""One sentence of so many is closed."""

_NAMED = re.compile(r'[a-z ]+ "((?:[^"\\]|\\.)*)"(?: in | nth |$)')

Kind = Literal["right", "refused", "wrong", "false"]


@dataclass(frozen=True, slots=True)
class Labelled:
    """A sentence and what it means.

    Attributes:
        text: The sentence.
        goals: What must be done, as the label has it; empty if nothing.
        set_name: Where it is from.
        file: The file that has it, without its ending.
        original: What it was made of, where it is a perturbed one, which belongs to the part of the original.
    """

    text: str
    goals: tuple[Mapping[str, Any], ...]
    set_name: str
    file: str = ""
    original: str = ""

    @property
    def is_answer(self) -> bool:
        """Whether it makes sense only while something is open."""
        return bool(self.goals) and all(goal["domain"] == "control" for goal in self.goals)

    @property
    def is_closed(self) -> bool:
        """Whether nobody looks at it."""
        return is_closed(self.original or self.text)

    @property
    def verbs(self) -> list[str]:
        """What must be done, as ``domain.verb``."""
        return [f"{goal['domain']}.{goal['verb']}" for goal in self.goals]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a sentence.

    Attributes:
        kind: ``right`` verbs, ``refused``, ``wrong`` verbs, or ``false``: understood, though it must not be.
        has_arguments: Whether the label names any.
        arguments_right: Whether all of them came out.
        reading: Its goals as text; empty if it is refused.
    """

    kind: Kind
    has_arguments: bool = False
    arguments_right: bool = True
    reading: str = ""


def is_closed(text: str) -> bool:
    """Tell whether a sentence is in the closed part."""
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % CLOSED_SHARE == 0


def read_labelled(file: Path) -> list[Labelled]:
    """Return the sentences of a file.

    Raises:
        SystemExit: If there is none.
    """
    if not file.is_file():
        sys.exit(
            f"There is no {file}. Give labelled sentences with --data FILE, as scripts/benchmarks/sentences/labels.py describes them."
        )
    lines = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip())
    return [Labelled(line["text"], tuple(line["goals"]), line.get("set", "all"), file.stem) for line in lines]


def judge(interpreter: GrammarInterpreter, sentence: Labelled) -> Verdict:
    """Return what becomes of a sentence."""
    goals = read_goals(interpreter, sentence)
    reading = write_reading(goals)
    if not goals:
        return Verdict("right" if not sentence.goals else "refused")
    if not sentence.goals:
        return Verdict("false", reading=reading)
    if [goal.name for goal in goals] != sentence.verbs:
        return Verdict("wrong", reading=reading)
    pairs = list(zip(sentence.goals, goals, strict=True))
    return Verdict(
        "right",
        any(label["params"] for label, _ in pairs),
        all(has_arguments(goal, label["params"], sentence.text) for label, goal in pairs),
        reading,
    )


def read_goals(interpreter: GrammarInterpreter, sentence: Labelled) -> Sequence[Goal]:
    """Return the goals of a sentence; none if it is refused."""
    if sentence.is_answer or not sentence.goals:
        control = interpreter.read_control(sentence.text, Situation.QUESTION | Situation.RUN)
        if control or sentence.is_answer:
            return (Goal("control", control.kind),) if control else ()
    understood = interpreter.interpret(sentence.text).meta_goal
    return understood.goals if understood else ()


def write_reading(goals: Sequence[Goal]) -> str:
    """Return goals as text: ``audio.set_volume level: 20; audio.mute``."""
    return "; ".join(_write_goal(goal) for goal in goals)


def _write_goal(goal: Goal) -> str:
    params = ", ".join(f"{name}: {_write_value(value)}" for name, value in sorted(goal.params.items()))
    return f"{goal.name} {params}".strip()


def _write_value(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    except TypeError:
        return str(value)


def has_arguments(goal: Goal, labelled: Mapping[str, Any], sentence: str) -> bool:
    """Tell whether all labelled arguments are among the params of a goal."""
    return all(has_argument(goal, name, value, sentence) for name, value in labelled.items())


def has_argument(goal: Goal, name: str, value: Any, sentence: str) -> bool:
    """Tell whether one of our params for a label's name has the label's value."""
    if name == "duration" and isinstance(value, str):
        return name in goal.params
    wanted = normalise(take_spelling(value, sentence))
    params = {**PLANNER_RULES[goal.domain, goal.verb].default_params, **goal.params}
    return any(
        wanted in list_readings(params[ours]) or (name in PATH_NAMES and is_same_path(value, params[ours]))
        for ours in OUR_NAMES.get(name, (name,))
        if ours in params
    )


def is_same_path(labelled: str, ours: object) -> bool:
    """Tell whether a label writes a path of ours in another notation, which names the same place."""
    return isinstance(ours, str) and _write_path(labelled) == _write_path(ours)


def _write_path(path: str) -> str:
    """Return a path in one notation: `~` for the home folder, without `./` in front and a slash behind."""
    path = re.sub(r"^home:/", "~/", path).removeprefix("./")
    return path.rstrip("/") or ("/" if path else ".")


def take_spelling(value: Any, sentence: str) -> Any:
    """Return a label's text as the sentence spells it, if only the case differs."""
    if not isinstance(value, str) or value in sentence:
        return value
    place = sentence.lower().find(value.lower())
    return sentence[place : place + len(value)] if place >= 0 else value


def list_readings(value: Any) -> list[Any]:
    """Return what a param of ours may be called: its value, and for a selector the name in it."""
    readings = [normalise(value)]
    if isinstance(value, str) and (named := _NAMED.match(value)):
        readings.append(re.sub(r"\\(.)", r"\1", named[1]))
    return readings


def normalise(value: Any) -> Any:
    """Return a value as it is compared: the current folder has two spellings, and numbers may be whole or not."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return value
    return "." if value == "./" else value if isinstance(value, str) else float(value)
