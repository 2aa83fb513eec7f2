"""Diagnosis: per verb, whether this machine can do it, why not, and how to fix it; and which runs were cut short."""

import platform
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from actuators.verb_table import PLANNER_RULES
from agent.assembly import list_families, make_registry, put_together
from agent.requests.requests import Request
from agent.sessions.session_parts import MachineCapabilities
from agent.sessions.unfinished import UnfinishedRun, find_unfinished
from agent.settings.folder_checks import locate_state
from agent.settings.settings import Settings, load_settings
from agent.store.journal.sqlite_journal import SqliteJournal
from agent.store.session_files import SessionFiles, tell_status
from core.base.errors import SurehandError
from core.base.late_dataclasses import dataclass
from core.goals.meta_goals import Goal
from core.goals.world import Capability, WorldState
from core.results.records import to_data
from core.rules.rule_checks import check_table
from core.rules.rule_types import PlannerRule
from core.rules.type_makers import ANY_VALUE

_TRIALS = {"browser": Goal("browser", "navigate", {"url": "about:blank"})}
"""What is done, by capability, to see that it works and isn't merely installed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """What a machine can do."""

    machine: Mapping[str, str]
    capabilities: Mapping[str, Capability]
    verbs: Sequence[Mapping[str, Any]]
    unfinished: tuple[UnfinishedRun, ...]
    notes: tuple[str, ...]

    @property
    def is_well(self) -> bool:
        """Whether all verbs work here."""
        return all(verb["available"] for verb in self.verbs)

    def to_report(self) -> dict[str, Any]:
        """Return it as data, as `surehand doctor --json` prints it."""
        found = {
            name: {"available": each.available, "reason": each.reason, "remedy": each.remedy}
            for name, each in self.capabilities.items()
        }
        report = {"machine": dict(self.machine), "capabilities": found, "verbs": list(self.verbs)}
        return {**report, "unfinished": to_data(self.unfinished), "notes": list(self.notes)}


async def diagnose(workspace: Path, principal: str = "") -> Diagnosis:
    """Look at what this machine can do; a browser is started once to see that it works.

    Raises:
        SurehandError: If the settings, or the folder for what is kept, can't be used.
    """
    settings = load_settings(workspace)
    state = locate_state(workspace, principal)
    families = list_families(settings, workspace, state=state)
    check_table(PLANNER_RULES, make_registry(families).specs())
    unfinished, notes = await _list_unfinished(state)
    looked = MachineCapabilities(families)
    capabilities = {name: await _try_out(name, found, settings, (workspace, state)) for name, found in looked.items()}
    verbs = [diagnose_verb(f"{domain}.{verb}", rule, capabilities) for (domain, verb), rule in PLANNER_RULES.items()]
    machine = {"system": platform.platform(), "python": platform.python_version()}
    return Diagnosis(machine=machine, capabilities=capabilities, verbs=verbs, unfinished=unfinished, notes=notes)


async def _list_unfinished(state: Path) -> tuple[tuple[UnfinishedRun, ...], tuple[str, ...]]:
    sessions, journal = SessionFiles(state), SqliteJournal(state)

    def is_running(run_id: str) -> bool:
        try:
            return tell_status(sessions.read(run_id)) == "running"
        except (SurehandError, OSError):
            return False

    try:
        notes = await journal.check()
        return (() if notes else await find_unfinished(journal, is_running)), notes
    except SurehandError as error:
        return (), (str(error),)
    finally:
        await journal.close()


async def _try_out(name: str, found: Capability, settings: Settings, place: tuple[Path, Path]) -> Capability:
    if not found.available or name not in _TRIALS:
        return found

    families = list_families(settings.model_copy(update={"trace": "off"}), place[0], state=place[1])
    async with put_together(families, WorldState(platform=sys.platform), {}) as session:
        result = await session.run(Request(goals=(_TRIALS[name],)))
    fault = "" if result.outcome == "success" else result.reply
    remedy = "Start the browser by hand to see what is wrong, or set browser_path to another one."
    return Capability(available=False, reason=fault, remedy=remedy) if fault else found


def diagnose_verb(verb: str, rule: PlannerRule, capabilities: Mapping[str, Capability]) -> dict[str, Any]:
    """Return whether a verb can be done, and which values of its params can't."""
    answer: dict[str, Any] = {"verb": verb, "available": True, "reason": "", "remedy": "", "partly": []}
    for need in rule.needs:
        found = _find(need, capabilities)
        if not need.startswith("session:") and not found.available:
            return answer | {"available": False, "reason": found.reason, "remedy": found.remedy}
    for group in (*((name,) for name in rule.required_params), *rule.choose_one, *rule.choose_any):
        lacks = [_find_lack(rule, name, capabilities) for name in group]
        if lacks[0] and all(lacks):
            return answer | {"available": False, "reason": lacks[0].reason, "remedy": lacks[0].remedy}
    for name, values in _list_choices(rule).items():
        lacking = [need for need in values if not _find(need, capabilities).available]
        answer["partly"] += [f"{name}: {values[need]}: {_find(need, capabilities).reason}" for need in lacking]
    if rule.opt_in:
        answer["partly"].append(f"off unless you add --allow {verb}")
    return answer


def _find_lack(rule: PlannerRule, name: str, capabilities: Mapping[str, Capability]) -> Capability | None:
    kind, allowed = rule.param_types[name], rule.allowed_values.get(name)
    values = allowed if isinstance(allowed, tuple) else (ANY_VALUE,) if kind.examples == (ANY_VALUE,) else ()
    lacks: list[Capability] = []
    for value in values if kind.needs else ():
        found = [_find(need, capabilities) for need in kind.needs(value)] if kind.needs else []
        lacks += [each for each in found if not each.available][:1]
    return lacks[0] if lacks and len(lacks) == len(values) else None


def _list_choices(rule: PlannerRule) -> dict[str, dict[str, str]]:
    """Return, by param, what some of its values need beside what the rule names, and an example of such a value."""
    return {
        name: {need: "; ".join(examples) for need, examples in kind.list_needs().items() if need not in rule.needs}
        for name, kind in rule.param_types.items()
        if kind.needs
    }


def _find(need: str, capabilities: Mapping[str, Capability]) -> Capability:
    return capabilities.get(need, Capability(available=False, reason="this machine has nothing that does it"))
