"""Whether a field kept what was typed into it."""

import re
from typing import Any, Literal

from actuators.browser.playwright.controls.controls import is_same_number
from core.base.errors import ActionError
from core.base.matching import describe_difference
from core.goals.secret_values import Secret

TypingVerdict = Literal["same", "reformatted", "different"]

# What fields put between groups of characters by themselves: card numbers, telephone numbers, dates.
_SEPARATORS = re.compile(r"[\s()/]+|(?<=\w)[\s-]+(?=\w)")
_NO_WORDS = re.compile(r"[\W_]+")
_CODE = re.compile(r"\+|0\d")  # the beginning of what is no amount: a telephone number, a post code
_HEX = re.compile(r"#[0-9a-fA-F]{6}")
_GROUPED_KINDS = frozenset({"text", "tel", "search"})


def judge_value(kind: str, wanted: str, kept: str) -> TypingVerdict:
    r"""Compare what was typed with what a field holds.

    Args:
        kind: Type of the field: an input's type, ``textarea`` or ``editable``.

    Returns:
        ``same``: equal, where ``\r\n`` counts as ``\n``, colours have no case, and rich text keeps spaces and its last
        line end in its own way; ``reformatted``: only white space, brackets, hyphens or slashes were put in or taken
        out, in rich text all but letters and digits, as lists and brackets are completed there, or it is the same number with
        marks and a unit, or the same colour in other digits; ``different``.
    """
    if _normalise(kind, wanted) == _normalise(kind, kept):
        return "same"
    bare = _SEPARATORS.sub("", wanted)
    if kind in _GROUPED_KINDS and bare and bare == _SEPARATORS.sub("", kept) and "\n" not in wanted:
        return "reformatted"
    words = _NO_WORDS.sub("", wanted)
    if kind == "editable" and words and words == _NO_WORDS.sub("", kept):
        return "reformatted"
    is_same = _is_same_colour(wanted, kept) or (is_same_number(wanted, kept) and not _CODE.match(wanted.strip()))
    if kind in _GROUPED_KINDS and is_same:
        return "reformatted"
    return "different"


def _is_same_colour(wanted: str, kept: str) -> bool:
    return bool(_HEX.fullmatch(wanted)) and kept.lower().removeprefix("#") == wanted[1:].lower()


def judge_addition(kind: str, before: str, text: str, kept: str) -> TypingVerdict:
    """Compare what was added to a field with what it holds.

    Returns:
        As above; ``reformatted`` also where rich text ends with what was added, though no longer all of it is on the page, as in editors
        that show only the lines in sight.
    """
    if kind != "editable":
        return judge_value(kind, before + text, kept)
    verdicts: list[TypingVerdict] = [
        judge_value(kind, start + text, kept) for start in (before.removesuffix("\n"), before)
    ]
    if "same" in verdicts:
        return "same"
    is_at_end = bool(text.strip()) and _normalise(kind, kept).rstrip().endswith(_normalise(kind, text).strip())
    if is_at_end:
        return "reformatted"
    return verdicts[0]


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
