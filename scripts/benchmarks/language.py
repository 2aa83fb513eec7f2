"""What people say, against labels.

A file has one object a line: `{"id", "text", "goals": [{"domain", "verb", "params"}], "set"}`; `goals` is empty where nothing may be done.

A sentence has the right verbs if its goals have those of the label, in that order. Its arguments are right if each that the label names
is among the params of its goal, byte for byte; what a label does not name is not compared. Labels have names of their own, so `OUR_NAMES`
says where their values belong. What a rule takes for granted (the current folder, downwards) counts as if it were said, and `~/a/` is the
same path as `home:/a`. A label whose letters differ from the sentence in their case only is taken as the sentence has it.
Words of a duration ("ten minutes") are not compared with our seconds.

Answers to a question (yes, stop, help …) are read while something is open; other sentences while nothing is; what must not be
understood, in both situations.
"""

import json
import re
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from core.goals.meta_goals import Goal
from core.language.interpretation import Situation
from core.language.interpreter import GrammarInterpreter
from core.planner_rules import PLANNER_RULES
from scripts.benchmarks.environment import keep_bytecode

ROOT = Path(__file__).resolve().parents[2]
BESIDE = ROOT.parent / "shared" / "data" / "utterances_dev.jsonl"
COLD_STARTS = 9
MOST_JOINED = 400

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
_NAMED = re.compile(r'[a-z ]+ "((?:[^"\\]|\\.)*)"(?: in | nth |$)')
_COLD = """
import sys, time
sys.path.insert(0, {root!r})
began = time.process_time()
from core.language.interpreter import GrammarInterpreter
GrammarInterpreter().interpret("go back")
print((time.process_time() - began) * 1000)
"""

Kind = Literal["right", "refused", "wrong", "false"]
NOTES = {
    "verb_accuracy": "sentences with the right verbs in the right order; aim ≥ 0.95",
    "argument_accuracy": "of those, the ones with every labelled argument byte for byte",
    "wrong_executions": "sentences with other verbs than they should have, not refused; aim ≤ 0.005",
    "false_executions": "of what must not be understood, what was; aim ≤ 0.001",
    "p50_ms": "one sentence, warm, processor time",
    "p95_ms": "one sentence, warm, processor time",
    "three_steps_p95_ms": "three sentences of one step each said as one, warm, processor time; aim ≤ 2",
    "cold_ms": "import and first sentence in a fresh process, processor time, median; aim ≤ 150",
}


@dataclass(frozen=True, slots=True)
class Labelled:
    """A sentence and what it means.

    Attributes:
        text: The sentence.
        goals: What must be done, as the label has it; empty if nothing.
        set_name: Where it is from.
    """

    text: str
    goals: tuple[Mapping[str, Any], ...]
    set_name: str

    @property
    def is_answer(self) -> bool:
        """Whether it makes sense only while something is open."""
        return bool(self.goals) and all(goal["domain"] == "control" for goal in self.goals)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a sentence.

    Attributes:
        kind: ``right`` verbs, ``refused``, ``wrong`` verbs, or ``false``: understood, though it must not be.
        has_arguments: Whether the label names any.
        arguments_right: Whether all of them came out.
    """

    kind: Kind
    has_arguments: bool = False
    arguments_right: bool = True


def read_labelled(file: Path | None) -> list[Labelled]:
    """Return the sentences of a file.

    Args:
        file: The one to read; None for the one beside the project.

    Raises:
        SystemExit: If there is none.
    """
    file = file or BESIDE
    if not file.is_file():
        sys.exit(
            f"There is no {file}. Give labelled sentences with --data FILE, as scripts/benchmarks/language.py describes them."
        )
    lines = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip())
    return [Labelled(line["text"], tuple(line["goals"]), line.get("set", "all")) for line in lines]


def measure_language(file: Path | None) -> dict[str, Any]:
    """Return the report, and print a line for each set.

    Args:
        file: Labelled sentences; None for those beside the project.
    """
    sentences = read_labelled(file)
    interpreter = GrammarInterpreter()
    verdicts = [judge(interpreter, each) for each in sentences]
    print_sets(sentences, verdicts)
    figures = add_up(sentences, verdicts)
    singles = [
        each.text
        for each, verdict in zip(sentences, verdicts, strict=True)
        if verdict.kind == "right" and len(each.goals) == 1
    ]
    figures |= time_sentences(interpreter, sentences, singles) | {"cold_ms": time_cold_starts()}
    return {"name": "language", "figures": figures, "samples": {}, "notes": NOTES}


def judge(interpreter: GrammarInterpreter, sentence: Labelled) -> Verdict:
    """Return what becomes of a sentence."""
    goals = read_goals(interpreter, sentence)
    if not goals:
        return Verdict("right" if not sentence.goals else "refused")
    if not sentence.goals:
        return Verdict("false")
    if [goal.name for goal in goals] != [f"{label['domain']}.{label['verb']}" for label in sentence.goals]:
        return Verdict("wrong")
    pairs = list(zip(sentence.goals, goals, strict=True))
    return Verdict(
        "right",
        any(label["params"] for label, _ in pairs),
        all(has_arguments(goal, label["params"], sentence.text) for label, goal in pairs),
    )


def read_goals(interpreter: GrammarInterpreter, sentence: Labelled) -> Sequence[Goal]:
    """Return the goals of a sentence; none if it is refused."""
    if sentence.is_answer or not sentence.goals:
        control = interpreter.read_control(sentence.text, Situation.QUESTION | Situation.RUN)
        if control or sentence.is_answer:
            return (Goal("control", control.kind),) if control else ()
    understood = interpreter.interpret(sentence.text).meta_goal
    return understood.goals if understood else ()


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


def print_sets(sentences: Sequence[Labelled], verdicts: Sequence[Verdict]) -> None:
    """Print how many sentences of each set came out how."""
    print(f"{'set':<28}{'all':>6}{'right':>8}{'arguments':>11}{'refused':>9}{'wrong':>7}{'false':>7}")
    for name in dict.fromkeys(each.set_name for each in sentences):
        mine = [verdict for each, verdict in zip(sentences, verdicts, strict=True) if each.set_name == name]
        kinds = Counter(verdict.kind for verdict in mine)
        compared = [verdict.arguments_right for verdict in mine if verdict.kind == "right" and verdict.has_arguments]
        told = f"{sum(compared)}/{len(compared)}"
        print(
            f"{name:<28}{len(mine):>6}{kinds['right']:>8}{told:>11}{kinds['refused']:>9}{kinds['wrong']:>7}{kinds['false']:>7}"
        )


def add_up(sentences: Sequence[Labelled], verdicts: Sequence[Verdict]) -> dict[str, float]:
    """Return the figures over all sets."""
    meant = [verdict for each, verdict in zip(sentences, verdicts, strict=True) if each.goals]
    others = [verdict for each, verdict in zip(sentences, verdicts, strict=True) if not each.goals]
    compared = [verdict.arguments_right for verdict in meant if verdict.kind == "right" and verdict.has_arguments]
    return {
        "verb_accuracy": find_share(verdict.kind == "right" for verdict in meant),
        "argument_accuracy": find_share(compared),
        "wrong_executions": find_share(verdict.kind == "wrong" for verdict in meant),
        "false_executions": find_share(verdict.kind == "false" for verdict in others),
    }


def find_share(facts: Iterable[bool]) -> float:
    """Return how many of them are so, as a share; 0 of nothing."""
    known = list(facts)
    return sum(known) / len(known) if known else 0.0


def time_sentences(
    interpreter: GrammarInterpreter, sentences: Sequence[Labelled], singles: Sequence[str]
) -> dict[str, float]:
    """Return the milliseconds of sentences, and of such that have three steps."""
    joined = ["; ".join(singles[place : place + 3]) for place in range(0, len(singles) - 2, 3)][:MOST_JOINED]
    alone = sorted(time_one(interpreter, each.text) for each in sentences)
    together = sorted(time_one(interpreter, text) for text in joined)
    figures = {"p50_ms": statistics.median(alone), "p95_ms": alone[int(len(alone) * 0.95)]}
    return figures | ({"three_steps_p95_ms": together[int(len(together) * 0.95)]} if together else {})


def time_one(interpreter: GrammarInterpreter, text: str) -> float:
    """Return the milliseconds of processor time of a sentence that was read before: others may share the processor."""
    interpreter.interpret(text)
    began = time.thread_time()
    interpreter.interpret(text)
    return (time.thread_time() - began) * 1000


def time_cold_starts() -> float:
    """Return the milliseconds from the first import to the first sentence, in processes of their own.

    The modules are compiled to bytecode once, in front of these, as they are where somebody uses them.
    """
    command = [sys.executable, "-c", _COLD.format(root=str(ROOT))]
    with keep_bytecode() as variables:
        found = [
            float(subprocess.run(command, env=variables, capture_output=True, text=True, check=True).stdout)
            for _ in range(COLD_STARTS + 1)
        ]
    return statistics.median(found[1:])
