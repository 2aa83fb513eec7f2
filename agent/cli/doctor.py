"""`surehand doctor`: per verb, whether this machine can do it, why not, and how to fix it."""

import asyncio
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agent.assembly import list_families, make_registry, make_session
from agent.cli.exits import BAD_INPUT, STEP_FAILED, SUCCEEDED
from agent.cli.output import write_error, write_json, write_result
from agent.requests import Request
from agent.session import read_capabilities
from agent.settings import Settings, load_settings
from core.errors import SurehandError
from core.goals import Goal
from core.planner_rules import PLANNER_RULES
from core.world import Capability

_TRIALS = {"browser": Goal("browser", "navigate", {"url": "about:blank"})}
"""What is done, by capability, to see that it works and isn't merely installed."""


def print_diagnosis(workspace: Path, *, as_json: bool) -> int:
    """Print what this machine can do; return 0 if all verbs work here, else 1."""
    try:
        settings = load_settings(workspace)
        families = list_families(settings, workspace)
        make_registry(families)
    except SurehandError as error:
        write_error(error)
        return BAD_INPUT
    capabilities = {
        name: _try_out(name, found, settings, workspace) for name, found in read_capabilities(families).items()
    }
    verbs = [_diagnose(f"{domain}.{verb}", rule.needs, capabilities) for (domain, verb), rule in PLANNER_RULES.items()]
    well = all(verb["available"] for verb in verbs)
    if as_json:
        machine = {"system": platform.platform(), "python": platform.python_version()}
        found = {
            name: {"available": each.available, "reason": each.reason, "remedy": each.remedy}
            for name, each in capabilities.items()
        }
        report = {"machine": machine, "capabilities": found, "verbs": verbs}
        write_json(report)
        return SUCCEEDED if well else STEP_FAILED
    _print_text(verbs, capabilities)
    return SUCCEEDED if well else STEP_FAILED


def _print_text(verbs: list[dict[str, Any]], capabilities: Mapping[str, Capability]) -> None:
    write_result(f"{platform.platform()}, Python {platform.python_version()}\n\n")
    for name, each in capabilities.items():
        write_result(f"{'✓' if each.available else '✗'} {name}: {each.reason}\n")
        if each.remedy:
            write_result(f"    to fix: {each.remedy}\n")
    write_result("\n")
    for verb in verbs:
        reason = "" if verb["available"] else f"  {verb['reason']}"
        write_result(f"{'✓' if verb['available'] else '✗'} {verb['verb']}{reason}\n")


def _try_out(name: str, found: Capability, settings: Settings, workspace: Path) -> Capability:
    """Return what was found, or why it fails when it is used."""
    if not found.available or name not in _TRIALS:
        return found

    async def perform() -> str:
        async with make_session(settings.model_copy(update={"trace": False}), workspace) as session:
            result = await session.run(Request(goals=(_TRIALS[name],)))
        return "" if result.outcome == "success" else result.reply

    fault = asyncio.run(perform())
    remedy = "Start it by hand to see what it lacks, or name another one in the settings (browser_path)."
    return Capability(available=False, reason=fault, remedy=remedy) if fault else found


def _diagnose(verb: str, needs: tuple[str, ...], capabilities: Mapping[str, Capability]) -> dict[str, Any]:
    missing = Capability(available=False, reason="nothing here provides it")
    for need in needs:
        found = capabilities.get(need, missing)
        if not need.startswith("session:") and not found.available:
            return {"verb": verb, "available": False, "reason": found.reason, "remedy": found.remedy}
    return {"verb": verb, "available": True, "reason": "", "remedy": ""}
