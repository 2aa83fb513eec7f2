"""The errand of `scripts/chaos.py kill`: acts of every kind in branches side by side, each with an effect that can be counted."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from actuators.verb_table import PLANNER_RULES
from core.goals.meta_goals import Goal

WINDOW = "Ledger of the desktop"
PROGRAM = "keep-ledger"
PROGRAM_LEDGER = "started.txt"


@dataclass(frozen=True, slots=True)
class Act:
    """One step of the errand.

    Attributes:
        chain: The branch that it belongs to; each step of a branch waits for the one before.
        domain: Of its verb.
        verb: The verb.
        params: As a goal has them; ``{site}`` and ``{ledger}`` stand for an address and a file.
        effect: What it is counted by; empty for what has no effect.
    """

    chain: str
    domain: str
    verb: str
    params: Mapping[str, Any]
    effect: str = ""

    @property
    def is_asked(self) -> bool:
        """Whether it is done at most once, and nothing but a person settles it."""
        return bool(self.effect) and PLANNER_RULES[(self.domain, self.verb)].settled_by == "ask"


ACTS: tuple[Act, ...] = (
    Act("files", "file", "write", {"path": "notes.txt", "content": "paid\n"}, "file.write"),
    Act("files", "file", "append", {"path": "log.txt", "content": "one more line\n"}, "file.append"),
    Act("files", "file", "move", {"source": "notes.txt", "destination": "kept.txt"}, "file.move"),
    Act("files", "file", "delete", {"object_type": "file", "name": "old.txt"}, "file.delete"),
    Act("page", "browser", "navigate", {"url": "{site}/elements/till"}),
    Act("page", "browser", "type", {"selector": 'field "Amount"', "text": "12.50"}, "browser.type"),
    Act("page", "browser", "press", {"selector": 'field "Amount"', "key": "7"}, "browser.press"),
    Act("page", "browser", "click", {"selector": 'button "Pay"'}, "browser.click"),
    Act("sound", "audio", "volume_up", {"amount": 5.0}, "audio.volume_up"),
    Act("program", "system", "launch", {"app": PROGRAM, "args": ["{ledger}"]}, "system.launch"),
    Act("player", "media", "next", {}, "media.next"),
    Act(
        "desktop",
        "desktop",
        "click",
        {"target": {"point": [150, 120], "space": "window"}, "window": WINDOW},
        "desktop.click",
    ),
    Act("desktop", "desktop", "type", {"text": "qw", "window": WINDOW}, "desktop.type"),
    Act("desktop", "desktop", "press", {"keys": "z", "window": WINDOW}, "desktop.press"),
)


def list_acts() -> dict[str, Act]:
    """Return the acts by the ids that their actions get."""
    return {f"g{number}_{act.verb}_1": act for number, act in enumerate(ACTS)}


def list_goals(site: str, ledger: str) -> tuple[Goal, ...]:
    """Return the errand as goals.

    Args:
        site: Address of the fixture sites.
        ledger: The file into which the program that is started writes.
    """
    goals: list[Goal] = []
    for number, act in enumerate(ACTS):
        follows = number > 0 and ACTS[number - 1].chain == act.chain
        params = {name: _fill(value, site, ledger) for name, value in act.params.items()}
        scope = f"after:g{number - 1}" if follows else "root"
        goals.append(Goal(act.domain, act.verb, params, goal_id=f"g{number}", scope=scope))
    return tuple(goals)


def _fill(value: Any, site: str, ledger: str) -> Any:
    if isinstance(value, list):
        return [_fill(each, site, ledger) for each in value]
    return value.format(site=site, ledger=ledger) if isinstance(value, str) else value
