"""Whether a field kept what was typed into it."""

import re
from typing import Any, Literal

from core.base.differences import describe_difference
from core.base.errors import ActionError
from core.goals.secret_values import Secret

TypingVerdict = Literal["same", "reformatted", "different"]

# What fields put between groups of characters by themselves: card numbers, telephone numbers, dates.
_SEPARATORS = re.compile(r"[\s()/]+|(?<=\w)[\s-]+(?=\w)")
_GROUPED_KINDS = frozenset({"text", "tel", "search"})


def judge_value(kind: str, wanted: str, kept: str) -> TypingVerdict:
    r"""Compare what was typed with what a field holds.

    Args:
        kind: Type of the field: an input's type, ``textarea`` or ``editable``.
        wanted: What it should hold.
        kept: What it holds.

    Returns:
        ``same``: equal, where ``\r\n`` counts as ``\n``, colours have no case, and rich text keeps spaces and its last
        line end in its own way; ``reformatted``: only white space, brackets, hyphens or slashes were put in or taken
        out; ``different``.
    """
    if _normalise(kind, wanted) == _normalise(kind, kept):
        return "same"
    bare = _SEPARATORS.sub("", wanted)
    if kind in _GROUPED_KINDS and bare and bare == _SEPARATORS.sub("", kept) and "\n" not in wanted:
        return "reformatted"
    return "different"


def differing_value(selector: str, wanted: str, held: dict[str, Any]) -> ActionError:
    """Return the error for a field that kept something else; secrets appear in it by their length only."""
    kept: str = held["value"]
    limit = held.get("maxlength", -1)
    cause = f" It takes at most {limit} characters." if 0 <= limit < len(wanted) else ""
    evidence: dict[str, Any] = {
        "selector": selector,
        "kind": held["kind"],
        "kept_length": len(kept),
        "length": len(wanted),
    }
    if held["secret"]:
        difference = f"{len(wanted)} characters were typed, it holds {len(kept)}"
    else:
        difference = describe_difference(wanted, kept)
        evidence |= {"expected": wanted, "actual": kept}
    return ActionError(
        f"{selector} did not keep what was typed: {difference}.{cause}",
        code="value_differs",
        hint="The page changes or limits this field; type what it accepts.",
        evidence=evidence,
    ).after_act()


def differing_secret(selector: str, secret: Secret, held: dict[str, Any]) -> ActionError:
    """Return the error for a field that kept something else than a secret; nothing is said of either."""
    limit = held.get("maxlength", -1)
    cause = f" It takes at most {limit} characters." if limit >= 0 else ""
    return ActionError(
        f"{selector} did not keep {secret} as it was typed.{cause}",
        code="value_differs",
        hint="The page changes or limits this field; check that it is the right one.",
        evidence={"selector": selector, "kind": held["kind"], "secret": secret.name},
    ).after_act()


def _normalise(kind: str, text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if kind == "color":
        return text.strip().lower()
    if kind == "editable":
        return text.replace("\u00a0", " ").removesuffix("\n")
    return text
