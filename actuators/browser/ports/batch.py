"""What acting on several elements comes to: one result for all of them, or an error that says how far it went."""

from collections.abc import Mapping, Sequence
from typing import Any

from actuators.browser.ports.pages import Done
from core.base.errors import SurehandError, TargetError


def merge_done(done: Sequence[Done]) -> Done:
    """Return what came of acting on elements one by one.

    Args:
        done: One for each element, in their order; at least one.

    Returns:
        Sure only if all are. Facts ``count`` and ``elements``: the facts of each.
    """
    facts = {"count": len(done), "elements": [dict(each.facts) for each in done]}
    return Done(facts, all(each.is_sure for each in done), done[0].output)


def join_texts(texts: Sequence[str], max_chars: int) -> dict[str, Any]:
    """Return the output of reading several texts: each on lines of its own, and as a list.

    Args:
        texts: What was read, in the order of the elements.
    """
    text = "\n".join(texts)
    value = list(texts)
    if len(text) > max_chars:
        value = text[:max_chars].split("\n")
    return {"text": text[:max_chars], "value": value, "truncated": len(text) > max_chars, "count": len(texts)}


def stop_midway(error: SurehandError, done: Sequence[Done], count: int) -> SurehandError:
    """Say in an error how many elements had been acted on before it; they stay so.

    Args:
        error: Why the next one could not be acted on.
        done: What came of those before.

    Returns:
        The same error.
    """
    if done:
        error.acted = True
        error.message = (
            f"{len(done)} of {count} elements were changed and stay changed. The next one failed: {error.message}"
        )
    error.evidence |= {"count": count, "done": len(done), "elements": [dict(each.facts) for each in done]}
    return error


def merge_facts(found: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what is known of several elements: how many, and by each key all that they have, in their order."""
    names = dict.fromkeys(name for facts in found for name in facts)
    merged: dict[str, Any] = {name: [facts.get(name, "") for facts in found] for name in names}
    return {"count": len(found), **merged}


def tell_weaker(counts: Mapping[str, int]) -> str:
    """Say how many elements a selector that matches nothing would match without one of its parts; empty if none does.

    Args:
        counts: By how a part is written, how many match without it.
    """
    told = [f"without {part} it matches {count}" for part, count in counts.items() if count]
    return f" But {' and '.join(told)}." if told else ""


def explain_few(selector: str, wanted: int, count: int, evidence: Mapping[str, Any]) -> TargetError:
    """Return the error for fewer elements than were asked for; none of them was acted on."""
    return TargetError(
        f"Only {count} of the {wanted} elements of {selector.strip()} exist.",
        hint=f"Ask for {count}, or use every.",
        evidence={"selector": selector, "count": count, **evidence},
    )
