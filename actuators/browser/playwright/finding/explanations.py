"""Why an element could not be acted on. All of this runs only after something has failed."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Locator, Page

from actuators.browser.playwright.finding.candidates import describe_element, find_nearest, list_matches
from actuators.browser.playwright.finding.causes import (
    Failure,
    answer_or,
    describe_trouble,
    explain_fault,
    read_failure,
)
from actuators.browser.playwright.finding.idling import IdleWatch
from actuators.browser.playwright.finding.locators import build_locator, write_form
from actuators.browser.playwright.finding.probes import count_matches, probe
from actuators.browser.ports.pages import tell_weaker
from core.base.errors import ActionError, SurehandError, TargetError, UnknownOutcomeError
from core.selectors.selectors import PlainSelector, SelectorSpec, list_weaker

LEAST_LOOK_S = 0.1
# Of the time that is left, what a question to the page may take; the rest is for saying what is known without an answer.
ASKING_SHARE = 0.8
EDGE_PX = 0.5
LOOK_HINT = "See what is on the page: surehand look ADDRESS."


@dataclass(frozen=True, slots=True)
class Attempt:
    """What was tried; it is told for how long the page had been idle, where it was given up for that."""

    spec: SelectorSpec
    page: Page
    locator: Locator
    waited_s: float
    left_s: float
    idle: IdleWatch | None = None

    @property
    def asking_ms(self) -> float:
        """Milliseconds that a question to the page may take."""
        return max(LEAST_LOOK_S, self.left_s * ASKING_SHARE) * 1000

    @property
    def named(self) -> str:
        """The selector for a message."""
        return self.spec.source.strip()

    @property
    def waited(self) -> str:
        """How long it took, for a message."""
        known = f"; {self.idle.tell()}" if self.idle else ""
        return f"waited {self.waited_s:.1f} s{known}"

    def evidence(self, **more: Any) -> dict[str, Any]:
        """Return what every error about an element says, and more."""
        idle = self.idle.evidence() if self.idle else {}
        return {"selector": self.spec.source, "url": self.page.url, "waited_s": round(self.waited_s, 3), **idle, **more}


async def explain_failure(error: PlaywrightError, attempt: Attempt) -> SurehandError:
    """Turn Playwright's error into one that names cause, blocker and time."""
    failure = read_failure(error.message)
    told = await answer_or(_explain(failure, attempt), None, max(LEAST_LOOK_S, attempt.left_s))
    return told or _explain_blindly(failure, attempt)  # which is what is known without the page


async def _explain(failure: Failure, attempt: Attempt) -> SurehandError:
    if failure.was_performed or failure.cause == "closed":
        return _explain_blindly(failure, attempt)
    match failure.cause:
        case "ambiguous":
            return await explain_ambiguous(attempt)
        case "bad_selector":
            message = f"The selector {attempt.named!r} can't be understood: {failure.text}"
            hint = 'Use a Playwright selector, or a plain form such as button "Log in".'
            return TargetError(message, code="bad_selector", hint=hint, evidence={"selector": attempt.spec.source})
        case "missing":
            return await explain_missing(attempt)
        case "detached" | "options" | "unsuitable" | "fault" | "replaced" | "unclear":
            return _explain_blindly(failure, attempt)
        case _:
            trouble = await probe(attempt.locator, "trouble", attempt.asking_ms)
            is_inside = trouble["framed"] and trouble["blocker"] is not None
            if trouble["framed"] and not is_inside:
                trouble["blocker"] = await _find_blocker_outside(attempt)
            _name_blocker(trouble["blocker"], attempt.spec.frames, is_inside=is_inside)
            return _by_trouble(failure, attempt, trouble)


def _name_blocker(blocker: dict[str, Any] | None, frames: Sequence[str], *, is_inside: bool) -> None:
    form = blocker.pop("form", None) if blocker else None
    if blocker and form and (frames or not is_inside):
        blocker["selector"] = write_form(form, frames if is_inside else ())


async def _find_blocker_outside(attempt: Attempt) -> dict[str, Any] | None:
    box = await attempt.locator.bounding_box(timeout=attempt.asking_ms)
    if box is None:
        return None
    point = {"x_px": box["x"] + box["width"] / 2, "y_px": box["y"] + box["height"] / 2}
    return await probe(attempt.page, "at", attempt.asking_ms, **point)


async def explain_ambiguous(attempt: Attempt, frames: Sequence[Frame] = ()) -> SurehandError:
    """Say which elements match, and how each could be told apart; only that there were several, where they have gone meanwhile."""
    matches = await list_matches(attempt.spec, attempt.locator, frames, attempt.asking_ms)
    if len(matches) < 2:
        return _explain_blindly(Failure("ambiguous", was_found=True, was_performed=False, attempts=0, text=""), attempt)
    shown = "; ".join(f"{number}) {describe_element(match)}" for number, match in enumerate(matches[:5], 1))
    first = next((match["selector"] for match in matches if match.get("selector")), "")
    return TargetError(
        f"{attempt.named} matches {len(matches)} elements: {shown}{'; …' if len(matches) > 5 else ''}.",
        code="target_ambiguous",
        hint=f"Name one of them, for example: {first}" if first else "Name a region with in, or a number with nth.",
        evidence=attempt.evidence(matches=matches[:20], count=len(matches)),
    )


async def explain_missing(attempt: Attempt) -> TargetError:
    """Say what there is instead of what was not found."""
    core = attempt.spec.core
    if isinstance(core, PlainSelector) and core.kind == "ref":
        return TargetError(
            f"ref={core.name} names nothing on this page: its element is gone, or was on another page.",
            hint="Look at the page again (surehand look), and use the selectors that it has now.",
            evidence=attempt.evidence(),
        )
    weaker, nearest = await asyncio.gather(
        _count_weaker(attempt), find_nearest(attempt.spec, attempt.page, attempt.asking_ms)
    )
    lines = "; ".join(describe_element(each) for each in nearest)
    inner = attempt.page.frames[1:]
    frames = ", ".join(f'"{each.name or each.url}"' for each in inner)
    about_frames = f" The frames are: {frames or 'none'}." if attempt.spec.frames else ""
    about_names = f" The nearest are: {lines}." if nearest else ""
    return TargetError(
        f"Nothing matches {attempt.named}; {attempt.waited}.{about_frames}{tell_weaker(weaker)}{about_names}",
        hint=f"Did you mean {nearest[0]['selector']}?" if nearest else LOOK_HINT,
        evidence=attempt.evidence(nearest=nearest, without=weaker, frames=[each.url for each in inner]),
    )


async def _count_weaker(attempt: Attempt) -> dict[str, int]:
    core = attempt.spec.core
    forms = list_weaker(core) if isinstance(core, PlainSelector) and core.kind != "ref" else []
    specs = [SelectorSpec("", form, attempt.spec.frames) for _, form in forms]
    asked = asyncio.gather(*(count_matches(build_locator(spec, attempt.page)) for spec in specs))
    counts = await answer_or(asked, [], attempt.asking_ms / 1000)
    if not counts:
        return {}
    return {part: count for (part, _), count in zip(forms, counts, strict=True)}


def _explain_blindly(failure: Failure, attempt: Attempt) -> SurehandError:
    if failure.was_performed:
        return UnknownOutcomeError(
            f"{attempt.named} was used, and then the browser stopped answering ({failure.text}); "
            "whether it took effect is unknown.",
            hint="Check the page before you repeat it.",
            evidence=attempt.evidence(reported=failure.text),
        )
    if failure.cause == "closed":
        return ActionError(
            f"The page closed before {attempt.named} was used ({failure.text}).",
            code="page_closed",
            hint="Open the page again; nothing was done.",
            evidence=attempt.evidence(reported=failure.text),
        )
    if failure.fault:
        return explain_fault(failure.fault, attempt.page.url)
    if failure.cause == "unclear":
        return describe_trouble(failure, attempt.page.url, attempt.named)
    code, phrase = {
        "replaced": ("target_detached", "could not be found, because its page or frame kept being replaced"),
        "detached": ("target_detached", "was removed from the page before it could be used"),
        "options": ("target_missing", "has no such option"),
        "unsuitable": ("target_unsuitable", f"can't take this: {failure.text}"),
        "ambiguous": ("target_ambiguous", "matches several elements"),
        "covered": ("target_covered", "is covered by another element"),
        "moving": ("target_moving", "does not stand still"),
        "disabled": ("target_disabled", "is disabled"),
        "read_only": ("target_readonly", "is read-only"),
        "hidden": ("target_hidden", "is not visible"),
        "off_screen": ("target_off_screen", "is outside the window and can't be scrolled into view"),
        "unknown": ("target_missing", f"could not be used: {failure.text}"),
    }.get(failure.cause, ("target_missing", ""))
    if not phrase:
        evidence = attempt.evidence(nearest=[], without={}, frames=[each.url for each in attempt.page.frames[1:]])
        return TargetError(f"Nothing matches {attempt.named}; {attempt.waited}.", hint=LOOK_HINT, evidence=evidence)
    return TargetError(f"{attempt.named} {phrase}; {attempt.waited}.", code=code, evidence=attempt.evidence())


def _by_trouble(failure: Failure, attempt: Attempt, trouble: dict[str, Any]) -> TargetError:
    explain = _TROUBLES.get(failure.cause, _unclear)
    code, phrase, hint, more = explain(trouble | {"interceptor": failure.interceptor})
    evidence = attempt.evidence(element=trouble["element"], attempts=failure.attempts, **more)
    return TargetError(f"{attempt.named} {phrase}; {attempt.waited}.", code=code, hint=hint, evidence=evidence)


Account = tuple[str, str, str, dict[str, Any]]


def _covered(trouble: dict[str, Any]) -> Account:
    blocker = trouble["blocker"]
    if trouble["pointer_events"] == "none":
        more = {"pointer_events": "none"} | ({"blocker": blocker} if blocker else {})
        hint = "The page does not allow clicks on it now."
        return "target_covered", "passes clicks to what is below it (pointer-events: none)", hint, more
    if blocker is None:
        return _moving(trouble)
    if blocker.get("is_behind"):
        phrase = f"can't be hit: it is clipped, and the pointer meets {describe_element(blocker)} behind it"
        return "target_hidden", phrase, "Make it appear first.", {"blocker": blocker}
    layer = "a transparent layer, " if blocker["is_transparent"] else ""
    size = " over the whole page" if blocker["covers_page"] else ""
    phrase = f"is covered by {layer}{describe_element(blocker)}{size}"
    return "target_covered", phrase, "Close or finish what covers it first.", {"blocker": blocker}


def _hidden(trouble: dict[str, Any]) -> Account:
    box = trouble["box"]
    if trouble["hidden"]:
        more = {"reason": trouble["hidden"]}
        return "target_hidden", f"is hidden: {trouble['hidden']}", "Make it appear first.", more
    if box["width_px"] < EDGE_PX or box["height_px"] < EDGE_PX:
        size = f"{box['width_px']:g} × {box['height_px']:g} px"
        return "target_zero_size", f"has no size to click on ({size})", "Use the visible element instead.", {"box": box}
    return "target_hidden", "is not visible", "Make it appear first.", {}


def _moving(trouble: dict[str, Any]) -> Account:
    if interceptor := trouble["interceptor"]:
        phrase = f"does not stay under the pointer: {interceptor} was there instead"
        return "target_moving", phrase, "Wait until the page has settled.", {"interceptor": interceptor}
    return "target_moving", "does not stand still", "Wait until its animation has ended.", {"box": trouble["box"]}


def _disabled(trouble: dict[str, Any]) -> Account:
    reason = trouble["disabled"] or "it was disabled the whole time"
    return "target_disabled", f"is disabled: {reason}", "Enable it first.", {"reason": reason}


def _read_only(trouble: dict[str, Any]) -> Account:
    if trouble["disabled"]:
        return _disabled(trouble)
    hint = "Click it and look at what opens, or choose a field that can be changed."
    return "target_readonly", "is read-only", hint, {}


def _off_screen(trouble: dict[str, Any]) -> Account:
    phrase = "is outside the window and can't be scrolled into view"
    return "target_off_screen", phrase, "", {"box": trouble["box"], "viewport": trouble["viewport"]}


def _unclear(trouble: dict[str, Any]) -> Account:
    if trouble["hidden"]:
        return _hidden(trouble)
    if trouble["disabled"]:
        return _disabled(trouble)
    return _covered(trouble) if trouble["blocker"] else _moving(trouble)


_TROUBLES: dict[str, Callable[[dict[str, Any]], Account]] = {
    "covered": _covered,
    "hidden": _hidden,
    "moving": _moving,
    "disabled": _disabled,
    "read_only": _read_only,
    "off_screen": _off_screen,
}
