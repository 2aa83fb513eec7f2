"""What was opened, turned over and scrolled to bring an element into sight; the same for every back end."""

from dataclasses import dataclass, field, replace
from typing import Any

from core.base.errors import TargetError
from core.rules.browser_choices import RevealMethod
from core.selectors.selectors import PlainSelector, Region, SelectorSpec, render_selector

WAYS = ("sections", "tabs", "menus", "scroll", "pages")
"""The order in which ``any`` tries them: what changes least comes first."""

SHOWN = 30


@dataclass(slots=True)
class RevealPath:
    """The way that a search has gone.

    Attributes:
        tried: What was pressed or scrolled, with its kind, in order.
        passed: What could not be pressed, with the reason.
        by: What brought the element into sight at last; ``none`` where it was there already.
        through: Names of what brought it there, in order.
    """

    tried: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    passed: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    by: str = "none"
    through: list[str] = field(default_factory=list[str])
    in_view: bool = False

    def add(self, kind: str, name: str) -> None:
        """Note what is tried next; scrolling the same thing on counts once."""
        if kind != "scroll" or (kind, name) not in self.tried:
            self.tried.append((kind, name))

    def pass_over(self, kind: str, name: str, reason: str) -> None:
        """Note what could not be pressed."""
        self.passed.append({"kind": kind, "name": name, "reason": reason})

    def finish(self, kind: str, name: str) -> None:
        """Note what has brought something new into sight."""
        self.by = kind
        if name:
            self.through.append(name)

    def come_through(self, names: list[str]) -> None:
        """Note what lies open around the element, before what was opened last."""
        self.through = [name for name in names if name not in self.through] + self.through

    def scrolled_to(self) -> None:
        """Note that the element was there, out of the window."""
        if self.by == "none":
            self.by = "scroll"

    def output(self) -> dict[str, Any]:
        """Return what the tool puts out."""
        return {"by": self.by, "through": list(self.through)}

    def evidence(self) -> dict[str, Any]:
        """Return what the tool gives as evidence."""
        told = [{"kind": kind, "name": name} for kind, name in self.tried[:SHOWN]]
        passed = {"passed_over": self.passed[:SHOWN]} if self.passed else {}
        return {**self.output(), "in_view": self.in_view, "tried": told, "count": len(self.tried), **passed}


def list_ways(by: RevealMethod) -> tuple[str, ...]:
    """Return the kinds of things to try, in order."""
    return WAYS if by == "any" else (by,)


def explain_unrevealed(selector: str, url: str, trail: RevealPath) -> TargetError:
    """Return the error for an element that came up nowhere."""
    names = [f'{kind} "{name}"' if name else kind for kind, name in trail.tried]
    looked = f" Looked through {', '.join(names[:SHOWN])}{', …' if len(names) > SHOWN else ''}." if names else ""
    evidence = {"selector": selector, "url": url, **trail.evidence()}
    return TargetError(
        f"{selector.strip()} was not found anywhere on this page.{looked or ' There was nothing to open.'}",
        hint="Check the spelling, or look on another page.",
        evidence=evidence,
    )


def find_counted(spec: SelectorSpec) -> PlainSelector | None:
    """Return the part of a selector that names one of several like parts by its place from the first; None without one."""
    core = spec.core
    if not isinstance(core, PlainSelector):
        return None
    parts = [core, *(region.selector for region in core.regions if region.selector)]
    return next((each for each in parts if each.kind == "record" and not each.name and (each.nth or 0) > 0), None)


def shift_counted(spec: SelectorSpec, number: int) -> SelectorSpec:
    """Return the selector for a later page of a list, where so many parts were on those before it."""
    counted, core = find_counted(spec), spec.core
    if counted is None or not isinstance(core, PlainSelector):
        return spec
    nearer = replace(counted, nth=max(1, (counted.nth or 1) - number))
    regions = tuple(Region("", "", nearer) if each.selector is counted else each for each in core.regions)
    shifted = nearer if core is counted else replace(core, regions=regions)
    return replace(spec, source=render_selector(SelectorSpec("", shifted, spec.frames)), core=shifted)
