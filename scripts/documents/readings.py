"""How the examples of the phrase files are read once they are perturbed: with talk around them, in another order or by other words.

The examples themselves are tests. What was done to them shows what a changed word or phrase does to sentences that nobody had in mind. Nearly all
are read as the example is; those that aren't are kept, so that one more shows as a difference.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from core.language.interpreter import GrammarInterpreter
from core.language.meanings.interpretation import Interpretation
from core.language.talk.languages import load_language
from scripts.benchmarks.sentences.labels import Labelled, write_reading
from scripts.benchmarks.sentences.perturbing import MAKERS, TALK, Picker, perturb

KEPT = Path(__file__).resolve().parents[2] / "fixtures" / "sentences" / "misread.txt"
_HEADER = """\
# Which examples of the phrase files are not read as they are once they are perturbed: “-” is refused, “!” is read as what stands behind the arrow.
# Written by scripts/docs.py; a new line is a defect.
"""


class Perturbed(NamedTuple):
    """An example that was perturbed, and what became of it.

    Attributes:
        kind: Of the perturbation.
        text: The sentence.
        reading: What it is read as; empty where it is refused, None where it is read as the example is.
    """

    kind: str
    text: str
    reading: str | None


def read_perturbed() -> list[Perturbed]:
    """Return nearly every example, perturbed in one way."""
    interpreter = GrammarInterpreter()
    found: list[Perturbed] = []
    for example in list_examples(interpreter.language):
        read = interpreter.interpret(example)
        if made := _perturb_one_way(_label(example, read)):
            before, after = _write(read), _write(interpreter.interpret(made[1]))
            found.append(Perturbed(*made, None if before.casefold() == after.casefold() else after))
    return found


def write_misread(perturbed: Iterable[Perturbed]) -> str:
    """Return the kept file: a line for each that isn't read as its example is, by kind of perturbation."""
    lines: dict[str, list[str]] = {kind: [] for kind in MAKERS}
    for each in perturbed:
        if each.reading is not None:
            lines[each.kind].append(f"! {each.text} -> {each.reading}" if each.reading else f"- {each.text}")
    blocks = [f"\n== {kind}\n" + "".join(f"{line}\n" for line in mine) for kind, mine in lines.items() if mine]
    return _HEADER + "".join(blocks)


def list_examples(language: str) -> list[str]:
    """Return every example of the phrase files of a language, once."""
    verbs = load_language(language).verbs
    return list(dict.fromkeys(text for verb in verbs for phrase in verb.phrases for text in phrase.examples))


def _perturb_one_way(sentence: Labelled) -> tuple[str, str] | None:
    """Return the first perturbation that changes a sentence, and what becomes of it; each sentence has an order of its own."""
    kinds = sorted(MAKERS if sentence.goals else TALK, key=lambda kind: Picker(sentence.text).rank(kind))
    made = ((kind, changed.text) for kind in kinds if (changed := perturb(sentence, kind)))
    return next(made, None)


def _label(example: str, read: Interpretation) -> Labelled:
    """Return an example with its slots for labels, so that what fills them stays as it is."""
    goals = tuple(
        {
            "domain": clause.domain,
            "verb": clause.verb,
            "params": {slot.name: example[slot.start : slot.end] for slot in clause.slots},
        }
        for clause in (read.clauses if read.meta_goal else ())
    )
    return Labelled(example, goals, "examples")


def _write(read: Interpretation) -> str:
    return write_reading(read.meta_goal.goals) if read.meta_goal else ""


def describe_changes(old: str, new: str) -> str:
    """Return which perturbed examples are read otherwise than before, the worst first; empty where none is.

    Args:
        old: The kept file as it was.
        new: As it is to be.
    """
    was, now = dict(_list_misread(old)), dict(_list_misread(new))
    changed = [each for each in was | now if was.get(each) != now.get(each)]
    changed.sort(key=lambda each: (not now.get(each), each not in now))
    told = [f"  {each}: {_say(was.get(each))} → {_say(now.get(each))}" for each in changed]
    return "\n".join([f"{len(changed)} perturbed examples are read otherwise:", *told]) if changed else ""


def _list_misread(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        if line.startswith(("- ", "! ")):
            sentence, _, reading = line[2:].partition(" -> ")
            yield sentence, reading


def _say(reading: str | None) -> str:
    return "as the example, or not there" if reading is None else reading or "refused"
