"""What was looked at, and whether a proposed selector is one of its lines."""

from collections.abc import Iterator, Mapping

from agent.planners.hands import PlannerSight
from core.base.errors import SurehandError
from core.base.late_dataclasses import dataclass, field
from core.planning.planners.ports import ProposedCall
from core.rules.param_types import ELEMENT_TARGET, SCREEN_TARGET, SELECTOR, SELECTORS
from core.rules.rule_types import PlannerRule
from core.selectors.selectors import parse_selector, render_selector

_NAMING = frozenset(each.label for each in (SELECTOR, SELECTORS, ELEMENT_TARGET, SCREEN_TARGET))
"""Labels of the types whose values name an element."""


@dataclass(slots=True)
class Seen:
    """The lines of the looks at the page that is open.

    Attributes:
        source: Address of the page, or title of the window.
        named: How each thing is named for good, by every way to write its line; empty where only a ref names it.
    """

    source: str = ""
    named: dict[str, str] = field(default_factory=dict[str, str])

    def note(self, sight: PlannerSight) -> None:
        """Take up what was seen; of another page than before, nothing else stays known."""
        if sight.source != self.source:
            self.named.clear()
            self.source = sight.source
        for line in sight.lines:
            if line.selector:
                ways = (f"ref={line.ref}", line.selector, line.text)
                self.named.update((write_plainly(way), line.lasting) for way in ways)

    def find(self, selector: str) -> str | None:
        """Return how what a selector names is named for good; None if no line was seen that it names."""
        return self.named.get(write_plainly(selector))


def write_plainly(selector: str) -> str:
    """Return a selector as it is written without remark and variety; as it is where it is none."""
    try:
        return render_selector(parse_selector(selector.strip()))
    except SurehandError:
        return selector.strip()


def list_selectors(call: ProposedCall, rule: PlannerRule) -> Iterator[tuple[str, str]]:
    """Yield the params of an act that name elements, with their values; what only looks may name what it likes."""
    if rule.action_class == "observe":
        return
    for name, value in call.params.items():
        if name in rule.param_types and rule.param_types[name].label in _NAMING and isinstance(value, str):
            yield name, value


def replace_selectors(call: ProposedCall, lasting: Mapping[str, str]) -> dict[str, object]:
    """Return the params of a call with other selectors in place of some."""
    return {**call.params, **{name: selector for name, selector in lasting.items() if selector}}
