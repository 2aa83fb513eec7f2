"""What was asked on the command line, as an order to a service."""

import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from agent.cli.asking import Asked, RunOptions
from agent.cli.screen.output import is_at_terminal
from agent.service.orders import RunOrder
from core.base.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from agent.requests.flows import Flow
    from core.policy.policy import Policy
    from core.policy.policy_rules import PolicyRule

_SCOPES = ("verbs", "effects", "hosts", "roots")
_ID_BYTES = 12
_LONGEST_NAME = 200


def make_request_id() -> str:
    """Return an id under which a service executes an order once, however often it is sent."""
    return f"cli-{os.urandom(_ID_BYTES).hex()}"


def name_own_option(options: RunOptions) -> str:
    """Return an option that was given which only a process of its own can obey; empty for none."""
    simulated = options.simulated
    given = {
        "--simulate": simulated.wanted or simulated.machine or simulated.faults,
        "--model": options.model.name,
        "--replay": options.model.replay,
        "--record": options.model.record,
        "--trace": options.trace,
        "--log-level": options.log_level,
        "--language": options.language,
        "--report": options.report,
        "--keep-pictures": options.keep_pictures,
    }
    return next((name for name, value in given.items() if value), "")


def make_order(asked: Asked, options: RunOptions, session: str) -> RunOrder:
    """Return the order."""
    if (options.full and options.quiet) or options.quiet + options.verbose + options.as_json > 1:
        raise InputError("Options exclude each other.", code="bad_usage")
    asked.check()
    asked.check_kind()
    flow = asked.flow_file
    read = _read_flow(flow, asked) if flow else None
    return RunOrder(
        text=None if flow or asked.goals else asked.what,
        flow=flow.read_text("utf-8-sig") if flow else None,
        goals=_read_goals(asked.goals) if asked.goals else None,
        variables=asked.read_variables(),
        files=read.files if read else {},
        environment=read.environment if read else {},
        session=session,
        request_id=make_request_id(),
        mode="plan" if options.dry_run else "execute",
        approvals=options.read_approved(),
        policy=_read_policy(asked),
        seconds=asked.timeout_s,
        changes=asked.read_ops(),
        name=str(flow or asked.goals or "")[-_LONGEST_NAME:],
        attended=is_at_terminal() and not options.as_json,
    )


def _read_flow(path: "Path", asked: Asked) -> "Flow":
    """Return a flow file, read with all that it names; the service looks neither at files nor at the environment."""
    from agent.requests.flows import load_flow

    return load_flow(path, asked.read_variables(), workspace=asked.workspace, environment=dict(os.environ))


def _read_goals(path: "Path") -> tuple[Mapping[str, Any], ...]:
    from agent.requests.goal_files import load_goals
    from agent.requests.words.documents import read_document

    load_goals(path)
    return tuple(json.loads(json.dumps(read_document(path).data)))


def _read_policy(asked: Asked) -> dict[str, Any] | None:
    """Return what may be touched, as data; None where nothing is said of it."""
    return describe_policy(asked.limits.read_policy()) if asked.limits else None


def describe_policy(policy: "Policy") -> dict[str, Any]:
    """Return a policy as a file would have it."""
    from agent.requests.words.policy_parts import LIMITS

    told: dict[str, Any] = {name: list(entries) for name in LIMITS if (entries := getattr(policy, name)) is not None}
    rules = [{rule.verdict: _describe_rule(rule)} for rule in policy.rules]
    extra = {"extra_verbs": list(policy.extra_verbs)} if policy.extra_verbs else {}
    return {**told, **extra, **({"rules": rules} if rules else {})}


def _describe_rule(rule: "PolicyRule") -> dict[str, Any]:
    scopes = {name: list(entries) for name in _SCOPES if (entries := getattr(rule, name)) is not None}
    return {**scopes, **({"because": rule.because} if rule.because else {})}
