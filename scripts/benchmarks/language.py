"""What people say, against labels, as it stands and perturbed.

`sentences/labels.py` says what a file of labelled sentences holds and when one is right, `sentences/perturbing.py` how they are perturbed.
Figures are over all sentences, over the four fifths that are developed with (`open_…`), and over the closed fifth (`closed_…`), of which
no sentence is ever printed or written. A sentence that is right is perturbed in each way that changes it, and read again.
"""

import json
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.language.interpreter import GrammarInterpreter
from scripts.benchmarks.environment import keep_bytecode
from scripts.benchmarks.sentences.against import describe_differences, judge_with
from scripts.benchmarks.sentences.labels import Labelled, Verdict, judge, read_labelled
from scripts.benchmarks.sentences.perturbing import MAKERS, TALK, ends_with_open_text, perturb

ROOT = Path(__file__).resolve().parents[2]
BESIDE = tuple(ROOT.parent / "shared" / "data" / f"utterances_{name}.jsonl" for name in ("dev", "dev2"))
COLD_STARTS = 9
MOST_JOINED = 400
PARTS = ("open", "closed")

_COLD = """
import sys, time
sys.path.insert(0, {root!r})
began = time.process_time()
from core.language.interpreter import GrammarInterpreter
GrammarInterpreter().interpret("go back")
print((time.process_time() - began) * 1000)
"""

NOTES = {
    "verb_accuracy": "sentences with the right verbs in the right order; aim ≥ 0.95",
    "argument_accuracy": "of those, the ones with every labelled argument byte for byte; aim ≥ 0.95",
    "wrong_executions": "sentences with other verbs than they should have, not refused; aim ≤ 0.003",
    "false_executions": "of what must not be understood, what was; aim ≤ 0.001",
    "talk_changes": "readings that talk in front, behind or inside changes; aim ≤ 0.02",
    "perturbed_verb_accuracy": "right verbs of what was right before it was perturbed; aim ≥ 0.95",
    "perturbed_wrong_executions": "other verbs than before it was perturbed, not refused; aim ≤ 0.003",
    "perturbed_false_executions": "of what must not be understood and wasn't, what was once perturbed; aim ≤ 0.001",
    "p50_ms": "one sentence, warm, processor time",
    "p95_ms": "one sentence, warm, processor time",
    "three_steps_p95_ms": "three sentences of one step each said as one, warm, processor time; aim ≤ 2",
    "cold_ms": "import and first sentence in a fresh process, processor time, median; aim ≤ 120",
}


@dataclass(frozen=True, slots=True)
class Read:
    """A sentence and what became of it."""

    sentence: Labelled
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Change:
    """A sentence that was right, perturbed.

    Attributes:
        kind: How.
        before: The sentence as it was.
        after: It perturbed.
    """

    kind: str
    before: Read
    after: Read

    @property
    def is_changed(self) -> bool:
        """Whether the reading is another; letters count for nothing, small or large."""
        return self.before.verdict.reading.casefold() != self.after.verdict.reading.casefold()


def measure_language(files: Sequence[Path] = (), details: Path | None = None) -> dict[str, Any]:
    """Return the report, and print tables of sets and perturbations.

    Args:
        files: Labelled sentences; those beside the project where empty.
        details: Where to write what became of each sentence, one JSON object a line; the closed ones are left out.
    """
    interpreter = GrammarInterpreter()
    sentences = [sentence for file in files or BESIDE for sentence in read_labelled(file)]
    read = [Read(sentence, judge(interpreter, sentence)) for sentence in sentences]
    changes = list_changes(interpreter, read)
    print_sets(read)
    print_changes(changes)
    left_out = sum(ends_with_open_text(each.sentence) for each in read if each.verdict.kind == "right")
    print(
        f"Talk behind was left out of {left_out} sentences that end with a text without quotes: it would belong to the text."
    )
    if details:
        write_details(read, changes, details)
    figures = add_up_parts(read, changes) | time_sentences(interpreter, read) | {"cold_ms": time_cold_starts()}
    return {"name": "language", "figures": figures, "samples": {}, "notes": NOTES}


def compare_language(ref: str, files: Sequence[Path] = ()) -> dict[str, Any]:
    """Print which sentences are read otherwise than by a version of git; return how many verdicts became right and ceased to be.

    Args:
        ref: The version.
        files: Labelled sentences; those beside the project where empty.
    """
    interpreter = GrammarInterpreter()
    sentences = [sentence for file in files or BESIDE for sentence in read_labelled(file)]
    verdicts = [judge(interpreter, sentence) for sentence in sentences]
    after = [(verdict.kind, verdict.reading) for verdict in verdicts]
    before = judge_with(ref, files or BESIDE)
    named = [(sentence.text, sentence.is_closed) for sentence in sentences]
    print("\n".join(describe_differences(named, before, after)))
    kinds = [(was[0] == "right", now[0] == "right") for was, now in zip(before, after, strict=True)]
    figures = {"became_right": kinds.count((False, True)), "ceased_to_be_right": kinds.count((True, False))}
    return {"name": "language", "figures": figures, "samples": {}, "notes": {}}


def list_changes(interpreter: GrammarInterpreter, read: Iterable[Read]) -> list[Change]:
    """Return all that is right, perturbed in every way; what must not be understood, by talk and letter case only."""
    return [
        Change(kind, before, Read(changed, judge(interpreter, changed)))
        for before in read
        if before.verdict.kind == "right"
        for kind in (MAKERS if before.sentence.goals else (*TALK, "letter case"))
        if (changed := perturb(before.sentence, kind))
    ]


def print_sets(read: Sequence[Read]) -> None:
    """Print how many sentences of each set came out how, the open ones and the closed ones."""
    print(f"{'set':<42}{'all':>6}{'right':>8}{'arguments':>11}{'refused':>9}{'wrong':>7}{'false':>7}")
    groups: dict[tuple[str, str, str], list[Verdict]] = {}
    for each in read:
        part = PARTS[each.sentence.is_closed]
        for name in ("all", each.sentence.set_name):
            groups.setdefault((each.sentence.file, part, name), []).append(each.verdict)
    for (file, part, name), mine in sorted(groups.items(), key=lambda item: (item[0][0], item[0][1] == "closed")):
        kinds = Counter(verdict.kind for verdict in mine)
        compared = [verdict.arguments_right for verdict in mine if verdict.kind == "right" and verdict.has_arguments]
        told = f"{sum(compared)}/{len(compared)}"
        label = f"{file.removeprefix('utterances_')} {part} {name}"
        print(
            f"{label:<42}{len(mine):>6}{kinds['right']:>8}{told:>11}{kinds['refused']:>9}{kinds['wrong']:>7}{kinds['false']:>7}"
        )


def print_changes(changes: Sequence[Change]) -> None:
    """Print how many readings each perturbation changes, and what of what must not be understood then is."""
    print(f"\n{'perturbed by':<24}{'meant':>7}{'changed':>9}{'refused':>9}{'wrong':>7}{'not meant':>11}{'false':>7}")
    for kind in MAKERS:
        for part in PARTS:
            mine = [
                each for each in changes if each.kind == kind and each.before.sentence.is_closed == (part == "closed")
            ]
            meant = [each for each in mine if each.before.sentence.goals]
            kinds = Counter(each.after.verdict.kind for each in mine)
            changed = f"{find_share(each.is_changed for each in meant):.1%}"
            print(
                f"{f'{kind}, {part}':<24}{len(meant):>7}{changed:>9}{kinds['refused']:>9}{kinds['wrong']:>7}"
                f"{len(mine) - len(meant):>11}{kinds['false']:>7}"
            )


def add_up_parts(read: Sequence[Read], changes: Sequence[Change]) -> dict[str, float]:
    """Return the figures over all sentences, and those of the open and of the closed ones."""
    figures = add_up(read) | add_up_changes(changes)
    for name in PARTS:
        closed = name == "closed"
        part = add_up([each for each in read if each.sentence.is_closed == closed])
        part |= add_up_changes([each for each in changes if each.before.sentence.is_closed == closed])
        figures |= {f"{name}_{key}": value for key, value in part.items()}
    return figures


def add_up(read: Sequence[Read]) -> dict[str, float]:
    """Return the figures of sentences as they stand."""
    meant = [each.verdict for each in read if each.sentence.goals]
    others = [each.verdict for each in read if not each.sentence.goals]
    return {
        "verb_accuracy": find_share(verdict.kind == "right" for verdict in meant),
        "argument_accuracy": find_share(
            verdict.arguments_right for verdict in meant if verdict.kind == "right" and verdict.has_arguments
        ),
        "wrong_executions": find_share(verdict.kind == "wrong" for verdict in meant),
        "false_executions": find_share(verdict.kind == "false" for verdict in others),
    }


def add_up_changes(changes: Sequence[Change]) -> dict[str, float]:
    """Return the figures of perturbed sentences."""
    meant = [each for each in changes if each.before.sentence.goals]
    others = [each for each in changes if not each.before.sentence.goals]
    return {
        "talk_changes": find_share(each.is_changed for each in meant if each.kind in TALK),
        "perturbed_verb_accuracy": find_share(each.after.verdict.kind == "right" for each in meant),
        "perturbed_wrong_executions": find_share(each.after.verdict.kind == "wrong" for each in meant),
        "perturbed_false_executions": find_share(each.after.verdict.kind == "false" for each in others),
    }


def find_share(facts: Iterable[bool]) -> float:
    """Return how many of them are so, as a share; 0 of nothing."""
    known = list(facts)
    return sum(known) / len(known) if known else 0.0


def write_details(read: Iterable[Read], changes: Iterable[Change], file: Path) -> None:
    """Write what became of each open sentence, and of each that was perturbed, one JSON object a line."""
    with file.open("w", encoding="utf-8") as written:
        for kind, each, before in (
            *(("as it stands", each, "") for each in read),
            *((change.kind, change.after, change.before.verdict.reading) for change in changes),
        ):
            if not each.sentence.is_closed:
                line = {"text": each.sentence.text, "perturbed": kind, "verdict": each.verdict.kind}
                line |= {"wanted": before or each.sentence.verbs, "reading": each.verdict.reading}
                written.write(json.dumps(line, ensure_ascii=False) + "\n")


def time_sentences(interpreter: GrammarInterpreter, read: Sequence[Read]) -> dict[str, float]:
    """Return the milliseconds of sentences, and of such that have three steps."""
    singles = [each.sentence.text for each in read if each.verdict.kind == "right" and len(each.sentence.goals) == 1]
    joined = ["; ".join(singles[place : place + 3]) for place in range(0, len(singles) - 2, 3)][:MOST_JOINED]
    alone = sorted(time_one(interpreter, each.sentence.text) for each in read)
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
