"""`surehand doctor`: per verb, whether this machine can do it, why not, and how to fix it."""

import platform
from pathlib import Path
from typing import Any

from agent.assembly import list_families, make_registry
from agent.cli.exits import BAD_INPUT, STEP_FAILED, SUCCEEDED
from agent.cli.output import write_error, write_json, write_result
from agent.session import read_capabilities
from agent.settings import load_settings
from core.errors import SurehandError
from core.planner_rules import PLANNER_RULES
from core.world import Capability


def print_diagnosis(workspace: Path, *, as_json: bool) -> int:
    """Print what this machine can do; return 0 if all verbs work here, else 1."""
    try:
        families = list_families(load_settings(workspace), workspace)
        make_registry(families)
    except SurehandError as error:
        write_error(error)
        return BAD_INPUT
    capabilities = read_capabilities(families)
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


def _print_text(verbs: list[dict[str, Any]], capabilities: dict[str, Capability] | Any) -> None:
    write_result(f"{platform.platform()}, Python {platform.python_version()}\n\n")
    for name, each in capabilities.items():
        write_result(f"{'✓' if each.available else '✗'} {name}: {each.reason}\n")
        if each.remedy:
            write_result(f"    to fix: {each.remedy}\n")
    write_result("\n")
    for verb in verbs:
        reason = "" if verb["available"] else f"  {verb['reason']}"
        write_result(f"{'✓' if verb['available'] else '✗'} {verb['verb']}{reason}\n")


def _diagnose(verb: str, needs: tuple[str, ...], capabilities: Any) -> dict[str, Any]:
    missing = Capability(available=False, reason="nothing here provides it")
    for need in needs:
        found = capabilities.get(need, missing)
        if not need.startswith("session:") and not found.available:
            return {"verb": verb, "available": False, "reason": found.reason, "remedy": found.remedy}
    return {"verb": verb, "available": True, "reason": "", "remedy": ""}
