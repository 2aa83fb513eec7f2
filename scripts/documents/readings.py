"""Writes fixtures/sentences/readings.txt: what the examples of the phrase files are read as once they are perturbed.

The examples themselves are tests. Said with talk around them, in another order or by other words they show what a changed word or phrase
does to sentences that nobody had in mind: the file is committed, so a change shows as a difference, and `describe_changes` tells it.
"""

from collections import Counter

from core.language.interpreter import GrammarInterpreter
from core.language.meanings.interpretation import Interpretation
from core.language.talk.languages import load_language
from scripts.benchmarks.sentences.labels import Labelled, write_reading
from scripts.benchmarks.sentences.perturbing import MAKERS, TALK, Picker, perturb

NAME = "fixtures/sentences/readings.txt"
MOST_SHOWN = 60
_AS_BEFORE = "="
_REFUSED = "-"
_OTHER = "!"
_HEADER = """\
# What the examples of the phrase files are read as once they are perturbed. Written by scripts/docs.py; read what a change of words does to it.
# “=” is read as the example is, “-” is refused, and “!” is read as something else, which stands behind the arrow.
"""


def write_readings() -> str:
    """Return the file: one line a sentence, by kind of perturbation."""
    interpreter = GrammarInterpreter()
    lines: dict[str, list[str]] = {kind: [] for kind in MAKERS}
    for example in list_examples(interpreter.language):
        read = interpreter.interpret(example)
        if made := _perturb_one_way(_label(example, read)):
            kind, changed = made
            lines[kind].append(_write_line(interpreter, _write(read), changed))
    blocks = [f"\n== {kind}{_count(mine)}\n" + "".join(f"{line}\n" for line in mine) for kind, mine in lines.items()]
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


def _write_line(interpreter: GrammarInterpreter, before: str, changed: str) -> str:
    after = _write(interpreter.interpret(changed))
    if before.casefold() == after.casefold():
        return f"{_AS_BEFORE} {changed}"
    return f"{_OTHER} {changed} -> {after}" if after else f"{_REFUSED} {changed}"


def _write(read: Interpretation) -> str:
    return write_reading(read.meta_goal.goals) if read.meta_goal else ""


def _count(lines: list[str]) -> str:
    marks = Counter(line[:1] for line in lines)
    return f": {marks[_AS_BEFORE]} as before, {marks[_REFUSED]} refused, {marks[_OTHER]} otherwise"


def describe_changes(old: str, new: str) -> str:
    """Return which sentences are read otherwise than before, what became otherwise first; empty where none is.

    Args:
        old: The file as it was.
        new: The file as it is to be.
    """
    was, now = (
        dict(_split(line) for line in text.splitlines() if line[1:2] == " " and line[0] in "=-!") for text in (old, new)
    )
    changed = [(was[each], verdict, each) for each, verdict in now.items() if each in was and was[each] != verdict]
    changed.sort(key=lambda change: (not change[1].startswith(_OTHER), not change[1].startswith(_REFUSED)))
    told = [f"  {sentence}: {_say(before)} → {_say(after)}" for before, after, sentence in changed]
    more = [f"  and {len(told) - MOST_SHOWN} more: see git diff {NAME}"] if len(told) > MOST_SHOWN else []
    come, gone = len(now.keys() - was.keys()), len(was.keys() - now.keys())
    heads = [f"{len(changed)} perturbed examples are read otherwise; {come} came, {gone} went."]
    return "\n".join([*heads, *told[:MOST_SHOWN], *more]) if changed or come or gone else ""


def _split(line: str) -> tuple[str, str]:
    """Return the sentence of a line, and what it is read as."""
    sentence, arrow, reading = line[2:].partition(" -> ")
    return sentence, f"{line[0]}{arrow and ' '}{reading}"


def _say(verdict: str) -> str:
    return {_AS_BEFORE: "as the example", _REFUSED: "refused"}.get(verdict, verdict[2:])
