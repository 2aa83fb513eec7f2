"""`surehand interpret`: which goals a sentence means."""

import asyncio
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from agent.cli.asking import ModelOptions, check_language
from agent.cli.declaring import command, make_group
from agent.cli.exits import BAD_INPUT, SUCCEEDED
from agent.cli.options import ASKING, LOOKING, OUTPUT, TASK, Language, Option
from agent.cli.screen.output import write_error, write_json
from agent.models.wishes import ModelWish
from core.base.errors import ErrorInfo, InputError, ModelError
from core.goals.meta_goals import Goal, MetaGoal
from core.goals.references import find_references
from core.language.frames.weighing import Evidence
from core.language.interpreter import GrammarInterpreter
from core.language.meanings.interpretation import Clause, GoalInterpreter, Interpretation, Situation
from core.language.talk.dialogue import Dialogue
from core.language.talk.several_languages import SeveralLanguages
from core.planner_rules import VERB_ROWS
from core.results.records import to_data
from core.rules.params import shorten
from core.rules.rule_types import list_destroyed

if TYPE_CHECKING:
    from agent.models.guarding import ModelExchange

_ANY = Situation.QUESTION | Situation.RUN
_OPEN: Mapping[str, Situation] = {
    "": _ANY,
    "nothing": Situation.NOTHING,
    "question": Situation.QUESTION,
    "run": Situation.RUN,
}
"""What a line may say is open, so that "yes" and "stop" mean something."""


Weigh = Callable[[str], list[Evidence]]

app = make_group()


@command(app, "interpret", "surehand interpret 'click the second Delete' --explain", panel=LOOKING)
def interpret(
    model: ModelOptions,
    text: Annotated[str, Option("SENTENCE", "What you would say.", TASK)] = "",
    jsonl: Annotated[
        bool, Option("--jsonl", 'Read lines {"id", "text"} from stdin and answer each with a line.', TASK)
    ] = False,
    answer: Annotated[
        tuple[str, ...], Option("--answer TEXT", "Answer the question that the sentence raises. Repeatable.", ASKING)
    ] = (),
    explain: Annotated[bool, Option("--explain", "Show how each part was understood.", OUTPUT)] = False,
    language: Language = "",
) -> int:
    """Show how a sentence is understood, as JSON; do nothing.

    With --explain, also what left to a model, and what it answered.
    """
    with_model = bool(model or model.record)
    if jsonl and (text or explain or answer or with_model):
        why = "--jsonl reads sentences from stdin; leave out the sentence, --explain, --answer and models."
        raise InputError(why)
    if with_model:
        return _interpret_with_model(text, model, answer, explain=explain)
    return _interpret_lines(language) if jsonl else _interpret_text(text, answer, language=language, explain=explain)


def _interpret_text(text: str, answers: Sequence[str] = (), *, language: str = "", explain: bool) -> int:
    interpreter = _make_interpreter(language)
    dialogue = Dialogue(interpreter)
    remark = dialogue.hear(text)
    for answer in answers:
        if dialogue.question is None:
            raise InputError(f'There is no open question for "{answer}" to answer.')
        remark = dialogue.hear(answer)
    interpretation = remark.interpretation
    shown = _describe_interpretation(interpretation)
    if explain:
        shown["clauses"] = _explain_clauses(interpretation, _make_grammar(interpreter.language).weigh)
    write_json(shown)
    return BAD_INPUT if interpretation.refusal else SUCCEEDED


def _interpret_with_model(text: str, wish: ModelWish, answers: Sequence[str] = (), *, explain: bool) -> int:
    """Print the goals of one sentence with a model's help where it takes that; return the exit code."""
    if answers:
        raise InputError("--answer answers questions of the grammar; leave out the model.", code="bad_usage")
    exchanges: list[Any] = []
    found, failure = asyncio.run(_ask_model(text, wish, exchanges))
    shown = _describe_interpretation(found)
    if explain:
        shown["clauses"] = _explain_clauses(found)
        shown["models"] = [exchange.describe() for exchange in exchanges]
    write_json(shown)
    if failure:
        write_error(failure)
    return BAD_INPUT if found.refusal or failure else SUCCEEDED


async def _ask_model(
    text: str, wish: ModelWish, exchanges: "list[ModelExchange]"
) -> tuple[Interpretation, ModelError | None]:
    """Return what a model takes a sentence to mean; where it fails, what is understood without it, and why."""
    from agent.assembly import make_session
    from agent.cli.serving.models import give_model
    from agent.requests.requests import Request
    from agent.settings.settings import load_settings

    workspace = Path.cwd()
    settings = load_settings(workspace)
    async with make_session(settings, workspace) as session:
        give_model(session, wish, settings)
        request = Request(utterance=text, mode="plan")
        alone = session.interpreter.interpret(text)
        try:
            request = await session.understand(request, exchanges.append)
        except ModelError as error:
            return alone, error
        return request.understood or alone, None


def _interpret_lines(language: str = "") -> int:
    """Answer every line ``{"id", "text"}`` of stdin with ``{"id", "goals", "refusal"}``.

    A line may say what is open (``"open": "nothing"``, ``"question"`` or ``"run"``). Without it, what is no request is read
    as if anything were: what a sentence means, not whether there is anything to say it to.

    Args:
        language: Tag of the language in which they are said, where one isn't clearly of another; empty for English.

    Returns:
        The exit code: 2 if a line was no such mapping; it is answered with a refusal, and the others are answered.
    """
    interpreter = _make_interpreter(language)
    code = SUCCEEDED
    for number, line in enumerate(sys.stdin.buffer, start=1):
        if not line.strip():
            continue
        identifier, text, situation, fault = _read_line(line)
        if fault:
            code = BAD_INPUT
            message = f'Line {number} is not {{"id", "text"}}: {fault}.'
            write_error(ErrorInfo("bad_input", message))
            answer: dict[str, Any] = {"goals": [], "refusal": {"code": "bad_input", "message": message}}
        else:
            answer = _describe_interpretation(_interpret(interpreter, text, situation))
        write_json({"id": identifier, **answer}, indent=None)
    return code


def _make_interpreter(language: str) -> SeveralLanguages:
    chosen = check_language(language or "en")
    return SeveralLanguages(_make_grammar, chosen)


def _make_grammar(language: str) -> GrammarInterpreter:
    return GrammarInterpreter(language, destroyed=list_destroyed(VERB_ROWS))


def _interpret(interpreter: GoalInterpreter, text: str, situation: Situation) -> Interpretation:
    """Return what a sentence means: a request before all else, unless it is said what is open."""
    if situation != _ANY:
        return interpreter.interpret(text, situation)
    alone = interpreter.interpret(text)
    if alone.meta_goal:
        return alone
    control = interpreter.read_control(text, situation)
    return Interpretation(control=control) if control else alone


def _read_line(line: bytes) -> tuple[Any, str, Situation, str]:
    """Return the id and the text of a line, what is open, and what is wrong with it."""
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError) as error:
        return None, "", _ANY, f"it can't be read as JSON ({error})"
    if not isinstance(entry, dict):
        return None, "", _ANY, "it is not a mapping"
    text, said = entry.get("text"), entry.get("open", "")
    situation = _OPEN.get(said) if isinstance(said, str) else None
    fault = "" if isinstance(text, str) else f"its text is {shorten(text)}"
    if situation is None:
        fault = fault or f'"open" is "nothing", "question", "run" or absent, not {shorten(said)}'
    return entry.get("id"), text if isinstance(text, str) else "", _ANY if situation is None else situation, fault


def _describe_interpretation(interpretation: Interpretation) -> dict[str, Any]:
    """Return the goals of a sentence as data, or its refusal; with who proposed a goal where that was a model."""
    goals = [
        {
            "domain": goal.domain,
            "verb": goal.verb,
            "params": to_data(goal.params),
            "scope": goal.scope,
            **_name_author(goal),
        }
        for goal in (interpretation.meta_goal.goals if interpretation.meta_goal else ())
    ]
    if control := interpretation.control:
        goals.append({"domain": "control", "verb": control.kind, "params": {}, "scope": "root"})
    return {
        "goals": goals,
        "refusal": to_data(interpretation.refusal) if interpretation.refusal else None,
    }


def _name_author(goal: Goal) -> dict[str, Any]:
    """Return the model that proposed a goal, and the params that it wrote itself; nothing where a person did."""
    return {"model": goal.author, "written": sorted(goal.written)} if goal.author else {}


def _explain_clauses(interpretation: Interpretation, weigh: Weigh = lambda _: []) -> list[dict[str, Any]]:
    """Return for each goal, or for each part in front of what was refused: its span, phrase, slots, references and scope.

    With them goes which words carried what, and the next best frame. A part that was refused comes last, with the frame
    that is nearest to it and what that leaves over.

    Args:
        weigh: Returns what speaks for each frame in a part of the utterance, the nearest first.
    """
    explained = _explain_understood(interpretation, weigh)
    refusal = interpretation.refusal
    if refusal and refusal.clause:
        explained.append({"text": refusal.clause, "refused": refusal.code, **_explain_nearest(weigh(refusal.clause))})
    return explained


def _explain_understood(interpretation: Interpretation, weigh: Weigh) -> list[dict[str, Any]]:
    meta_goal = interpretation.meta_goal
    if meta_goal is None:
        return [_explain_clause(clause, weigh) for clause in interpretation.clauses]
    if not interpretation.clauses:  # a model's goals have none
        return [{"goal": goal.goal_id, **_explain_goal(goal, meta_goal)} for goal in meta_goal.goals]
    pairs = zip(interpretation.clauses, meta_goal.goals, strict=True)
    return [
        {"goal": goal.goal_id, **_explain_clause(clause, weigh), **_explain_goal(goal, meta_goal)}
        for clause, goal in pairs
    ]


def _explain_clause(clause: Clause, weigh: Weigh) -> dict[str, Any]:
    evidence = weigh(clause.text)
    name = f"{clause.domain}.{clause.verb}"
    chosen = next((each for each in evidence if f"{each.name}: {each.frame}" == clause.pattern), None)
    rivals = [each for each in evidence if each.name != name]
    return {
        "start": clause.start,
        "end": clause.end,
        "text": clause.text,
        "pattern": clause.pattern,
        "slots": to_data(clause.slots),
        "words": [{"words": each.words, "part": each.part} for each in chosen.parts]
        if chosen
        else _split_phrase(clause),
        "next_best": _explain_evidence(rivals[0]) if rivals else None,
    }


def _split_phrase(clause: Clause) -> list[dict[str, Any]]:
    """Return which words of a clause filled which slot of its phrase; the others are words of the phrase."""
    found: list[dict[str, Any]] = []
    end = clause.start
    for slot in sorted(clause.slots, key=lambda each: each.start):
        between = clause.text[end - clause.start : slot.start - clause.start].strip()
        found += [{"words": between, "part": "phrase"}] if between else []
        found.append(
            {"words": clause.text[slot.start - clause.start : slot.end - clause.start], "part": f"{{{slot.name}}}"}
        )
        end = slot.end
    rest = clause.text[end - clause.start :].strip()
    return [*found, {"words": rest, "part": "phrase"}] if rest else found


def _explain_nearest(evidence: list[Evidence]) -> dict[str, Any]:
    nearest = evidence[0] if evidence else None
    rivals = [each for each in evidence if nearest and each.name != nearest.name]
    return {
        "nearest": _explain_evidence(nearest) if nearest else None,
        "next_best": _explain_evidence(rivals[0]) if rivals else None,
    }


def _explain_evidence(evidence: Evidence) -> dict[str, Any]:
    return {
        "verb": evidence.name,
        "frame": evidence.frame,
        "words": [{"words": each.words, "part": each.part} for each in evidence.parts],
        "left_over": list(evidence.left),
        "missing": list(evidence.missing),
    }


def _explain_goal(goal: Goal, meta_goal: MetaGoal) -> dict[str, Any]:
    return {
        "references": [str(reference) for reference in find_references(dict(goal.params))],
        "scope": goal.scope,
        "waits_for": list(meta_goal.dependencies.get(goal.goal_id, ())),
    }
