"""GoalPlanner: one goal and its rule make planned actions. Pure, and the same way for every domain and verb."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from core.addresses.own_ground import OwnGround
from core.addresses.paths import OPEN_ANCHORS, PathTerms, check_roots, judge_name, resolve_path
from core.addresses.urls import judge_address
from core.base.errors import ErrorInfo, SurehandError, UnsupportedError
from core.base.late_dataclasses import dataclass, field, replace
from core.base.late_parts import compile_late
from core.base.phrases import render_phrase
from core.goals.meta_goals import Goal
from core.goals.references import Reference, has_reference
from core.goals.secret_values import Secret, Vault
from core.goals.world import WorldState
from core.planning.action_facts import judge_action
from core.planning.context import ContextFrame, PlanningContext, consume_frames, produce_frames
from core.planning.plans import PlannedAction, compute_digest, freeze
from core.policy.command_code import check_command
from core.policy.policy import Policy
from core.policy.policy_rules import Verdict
from core.rules.params import ParamProblem, suggest, validate_params
from core.rules.rule_types import FromWorld, PlannerRule, RuleKey
from core.rules.type_makers import ParamType

_SESSION = "session:"

_WEB = compile_late(r"https?://", re.IGNORECASE)

# Whoever opens a file can open long paths.
_WINDOW = "window"
_ON_SCREEN = ("screen", "window")
_READING = PathTerms(long_paths=True)
_WRITING = PathTerms(long_paths=True, writing=True)

_EXPLAINING_S = 5.0
"""Seconds that a tool with its own ``timeout`` has left to say why it was in vain."""


PlanStatus = Literal["success", "rule_not_found", "validation_failed", "blocked"]


@dataclass(frozen=True, slots=True)
class PlanResult:
    """What came of planning one goal.

    Attributes:
        status: ``success``, ``rule_not_found``, ``validation_failed`` (a param is missing, unknown or ill-typed) or
            ``blocked`` (a value outside the allowed ones, refused by policy, or not possible on this machine).
        plan: The actions, in order; may be empty on success.
        verdict: What the rules of the policy say of it, as far as that is known while planning.
    """

    status: PlanStatus
    plan: tuple[PlannedAction, ...] = ()
    frames: tuple[ContextFrame, ...] = ()
    error: ErrorInfo | None = field(default=None)
    verdict: Verdict | None = None

    @property
    def reason(self) -> str:
        """Why not, in words; empty on success."""
        return str(self.error) if self.error else ""


class GoalPlanner:
    """Plans goals by a table of rules."""

    def __init__(self, rules: Mapping[RuleKey, PlannerRule]) -> None:
        self.rules = rules

    def find_rule(self, goal: Goal) -> PlannerRule | None:
        """Return the rule of a goal, or None."""
        return self.rules.get((goal.domain, goal.verb))

    def plan(self, goal: Goal, context: PlanningContext) -> PlanResult:
        """Plan one goal.

        Returns:
            The actions and frames, or why there are none; never raises for a bad goal.
        """
        rule = self.find_rule(goal)
        if rule is None:
            return self._report_unknown(goal)
        try:
            context.policy.check_verb(goal.name, opt_in=rule.opt_in)
        except SurehandError as error:
            return PlanResult("blocked", error=error.info())
        params = consume_frames(rule, goal.params, context.frames)
        report = validate_params(rule, params, context.world)
        if problems := _drop_excused(rule, params, report.problems):
            return _report_problems(goal, problems)
        # What a model wrote is not context for what a person asks later: it would lose its mark there.
        # What a model proposed is no context for what a person says later, whoever's words its values are.
        vouched = {name: value for name, value in report.params.items() if name not in goal.written and not goal.author}
        frames = produce_frames(rule, vouched, goal.goal_id)
        if report.problems:
            return PlanResult("success", frames=frames)
        try:
            args = judge_args(rule, report.params, context)
            action = _build_action(goal, rule, args, context)
            verdict = judge_action(context.policy, action, context.world.platform)
        except SurehandError as error:
            return PlanResult("blocked", error=error.info())
        needs = (*rule.needs, *_list_value_needs(rule, args))
        if error := _find_lack(goal.name, needs, context.world) or _find_secret_lack(goal.name, args, context.vault):
            return PlanResult("blocked", error=error)
        return PlanResult("success", (action,), frames, verdict=verdict)

    def readmit(self, action: PlannedAction, context: PlanningContext) -> ErrorInfo | None:
        """Tell why an action that was planned earlier may not be done now as it was planned; None if it may."""
        named = Goal(action.domain, action.verb, goal_id=action.goal_id, groups=action.groups, terms=action.terms)
        goal = replace(named, written=action.written, author=action.author)
        rule = self.find_rule(goal)
        if rule is None:
            return self._report_unknown(goal).error
        context = replace(context, lane=action.lane, base=action.base)
        try:
            context.policy.check_verb(goal.name, opt_in=rule.opt_in)
            args = judge_args(rule, action.args, context)
        except SurehandError as error:
            return error.info()
        needs = (need for need in (*rule.needs, *_list_value_needs(rule, args)) if not need.startswith(_SESSION))
        if error := _find_lack(goal.name, needs, context.world) or _find_secret_lack(goal.name, args, context.vault):
            return error
        if replace(_build_action(goal, rule, args, context), verifier=action.verifier) != action:
            text = f"{action.action_id} ({action.description}) would be planned differently today."
            return ErrorInfo("plan_changed", text, "Surehand or its settings have changed; request the rest again.")
        return None

    def _report_unknown(self, goal: Goal) -> PlanResult:
        names = [f"{domain}.{verb}" for domain, verb in self.rules]
        domains = dict.fromkeys(domain for domain, _ in self.rules)
        if goal.domain not in domains:
            hint = f"Known domains: {', '.join(domains)}{suggest(goal.name, names)}."
        else:
            verbs = [verb for domain, verb in self.rules if domain == goal.domain]
            hint = f"Verbs of {goal.domain}: {', '.join(verbs)}{suggest(goal.verb, verbs)}."
        return PlanResult("rule_not_found", error=ErrorInfo("rule_not_found", f"There is no verb {goal.name}.", hint))


def judge_args(rule: PlannerRule, params: Mapping[str, Any], context: PlanningContext) -> dict[str, Any]:
    """Return the params as arguments: addresses judged, paths resolved and judged, semantic params left out.

    Raises:
        PolicyError: If an address or path may not be used, or what a program is given is code.
        InputError: If an address can't be read.
    """
    args = {name: value for name, value in params.items() if name not in rule.semantic_params}
    context = replace(context, base=resolve_base(context)) if context.base else context
    for name, value in args.items():
        declared = rule.param_types[name]
        if declared.kind == "plain" or has_reference(value):
            continue
        try:
            args[name] = _judge(declared, value, context)
        except SurehandError as error:
            error.evidence["params"] = [name]
            raise
    _check_command(rule, args, context.policy, OwnGround(context.world.own_folders, context.world.platform))
    _check_window(rule, args, context.policy)
    return args


def _check_command(rule: PlannerRule, args: Mapping[str, Any], policy: Policy, own: OwnGround) -> None:
    """Refuse code for what runs it, and what is Surehand's own, as far as the arguments are known; which program is meant, its tool finds out."""
    command = rule.command
    if command and not has_reference(args[command.program]):
        given = args.get(command.arguments) or ()
        known = [] if isinstance(given, Reference) else [each for each in given if not has_reference(each)]
        for each in known:
            own.check((str(each).partition("=")[2] or str(each)).removeprefix("file://"))
        check_command([args[command.program]], known, policy, command.verb)


def _check_window(rule: PlannerRule, args: Mapping[str, Any], policy: Policy) -> None:
    if _WINDOW not in rule.param_types and rule.reads not in _ON_SCREEN:
        return
    window = args.get(_WINDOW)
    policy.check_window(window if isinstance(window, str) else None)


def _judge(declared: ParamType, value: Any, context: PlanningContext) -> Any:
    if not isinstance(value, str):
        return tuple(_judge(declared, each, context) for each in value)
    if declared.kind == "path" or (declared.kind == "place" and not _WEB.match(value)):
        terms = _WRITING if declared.writing else _READING
        return _judge_path(value, context, replace(terms, globs=True) if declared.globs else terms)
    if declared.kind == "name":
        OwnGround().check(judge_name(value))
        return value
    context.policy.check_address(judge_address(value))
    return value


def resolve_rules(policy: Policy, world: WorldState) -> Policy:
    """Return the policy with absolute roots in its rules; its own stay as they are."""
    if all(rule.roots is None for rule in policy.rules):
        return policy
    resolved = tuple(
        replace(rule, roots=rule.roots and tuple(_resolve_root(root, world) for root in rule.roots))
        for rule in policy.rules
    )
    return replace(policy, rules=resolved)


def _resolve_root(root: str, world: WorldState) -> str:
    return resolve_path(root, world.anchors, world.platform)


def resolve_roots(policy: Policy, world: WorldState) -> Policy:
    """Return the policy with absolute roots; without any, the workspace and the folders that people name."""
    policy = resolve_rules(policy, world)
    if policy.roots is None:
        return replace(policy, roots=tuple(world.anchors[name] for name in OPEN_ANCHORS if world.anchors.get(name)))
    return replace(policy, roots=tuple(_resolve_root(root, world) for root in policy.roots))


def resolve_base(context: PlanningContext) -> str:
    """Return the absolute folder that relative paths hang below.

    Raises:
        PolicyError: If this machine doesn't have it.
    """
    return resolve_path(".", context.world.anchors, context.world.platform, context.base)


def _judge_path(text: str, context: PlanningContext, terms: PathTerms) -> str:
    world = context.world
    path = resolve_path(text, world.anchors, world.platform, context.base, terms)
    check_roots(path, resolve_roots(context.policy, world).roots or (), world.platform)
    OwnGround(world.own_folders, world.platform).check(path)
    return path


def find_path(action: PlannedAction) -> str | None:
    """Return what an action's first path was resolved to; None if it has none, or one that is still to be read."""
    paths = (value for name, value in action.args.items() if action.rule.param_types[name].kind == "path")
    path = next(paths, None)
    return path if isinstance(path, str) else None


def _drop_excused(
    rule: PlannerRule, params: Mapping[str, Any], problems: tuple[ParamProblem, ...]
) -> tuple[ParamProblem, ...]:
    if not rule.allow_semantic_only or all(params.get(name) is None for name in rule.semantic_params):
        return problems
    return tuple(each for each in problems if each.kind != "missing" or each.param in rule.semantic_params)


def _report_problems(goal: Goal, problems: tuple[ParamProblem, ...]) -> PlanResult:
    blocked = all(each.kind == "not_allowed" for each in problems)
    status: PlanStatus = "blocked" if blocked else "validation_failed"
    message = f"{goal.name}: {'; '.join(each.message for each in problems)}."
    evidence = {"params": [each.param for each in problems]}
    code = "value_not_allowed" if blocked else "validation_failed"
    return PlanResult(status, error=ErrorInfo(code, message, evidence=evidence))


def check_bound_needs(action: PlannedAction, args: Mapping[str, Any], world: WorldState) -> None:
    """Refuse values that take something which the machine lacks; planning couldn't know what references stand for.

    Raises:
        UnsupportedError: If it lacks something that a value takes.
    """
    if error := _find_lack(action.name, _list_value_needs(action.rule, args), world):
        raise UnsupportedError(error.message, hint=error.hint)


def _list_value_needs(rule: PlannerRule, args: Mapping[str, Any]) -> Iterator[str]:
    for name, value in args.items():
        needs = rule.param_types[name].needs
        if needs and not has_reference(value):
            yield from needs(value)


def _find_lack(name: str, needs: Iterable[str], world: WorldState) -> ErrorInfo | None:
    for need in needs:
        if need.startswith(_SESSION):
            kind = need.removeprefix(_SESSION)
            if kind not in world.sessions:
                text = f"{name} needs an open {kind}, and no earlier goal opens one."
                return ErrorInfo("no_session", text, f"Open a {kind} first, or put this goal after the one that does.")
            continue
        capability = world.capabilities.get(need)
        if capability is None or not capability.available:
            reason = capability.reason if capability else f"nothing here provides {need}"
            text = f"{name} can't be done on this machine: {reason.rstrip('.')}."
            return ErrorInfo(
                "not_supported_here", text, capability.remedy if capability else "Run surehand doctor to see why."
            )
    return None


def _find_secret_lack(name: str, args: Mapping[str, Any], vault: Vault) -> ErrorInfo | None:
    for param, value in args.items():
        lack = vault.find_lack(value) if isinstance(value, Secret) else None
        if lack:
            return replace(lack, message=f"{name}: {lack.message}", evidence={**lack.evidence, "params": [param]})
    return None


def bind_action(
    action: PlannedAction, args: Mapping[str, Any], shown: Mapping[str, Any], world: WorldState
) -> PlannedAction:
    """Return an action with values in the place of its references, and everything that follows from them.

    Args:
        world: Knows what values stand for that configuration may add to.
    """
    return replace(
        action,
        args=freeze(args),
        digest=compute_digest(action.domain, action.intent, action.verb, args),
        description=_describe(action.rule, shown, world),
        resources=_name_resources(action.rule, args, action.lane),
        timeout_s=_find_timeout(action.rule, args),
    )


def _describe(rule: PlannerRule, shown: Mapping[str, Any], world: WorldState) -> str:
    told = dict(shown)
    for name, allowed in rule.allowed_values.items():
        meanings = world.meanings.get(allowed.name, {}) if isinstance(allowed, FromWorld) else {}
        if isinstance(value := told.get(name), str) and value in meanings:
            told[name] = f"{value} ({meanings[value]})"
    return render_phrase(rule.description_template, told)


def _name_resources(rule: PlannerRule, args: Mapping[str, Any], lane: str) -> tuple[str, ...]:
    values = {**args, "lane": lane}
    return tuple(render_phrase(each, values) for each in rule.resource)


def _find_timeout(rule: PlannerRule, args: Mapping[str, Any]) -> float:
    asked_s = args.get("timeout")
    limit_s = asked_s + _EXPLAINING_S if isinstance(asked_s, int | float) else rule.timeout_s
    lasting = (value for name, value in args.items() if rule.param_types[name].lasting)
    return limit_s + sum(value for value in lasting if isinstance(value, int | float))


def _build_action(goal: Goal, rule: PlannerRule, args: Mapping[str, Any], context: PlanningContext) -> PlannedAction:
    return PlannedAction(
        action_id=f"{goal.goal_id}_{goal.verb}_1",
        domain=goal.domain,
        verb=goal.verb,
        intent=rule.intent,
        description=_describe(rule, args, context.world),
        args=freeze(args),
        action_class=rule.action_class,
        goal_id=goal.goal_id,
        digest=compute_digest(goal.domain, rule.intent, goal.verb, args),
        rule=rule,
        summary="" if goal.terms.is_question else rule.summary,
        approval=rule.approval,
        repeat=rule.repeat,
        undo=rule.undo,
        recovery=rule.settled_by,
        reads=rule.reads,
        resources=_name_resources(rule, args, context.lane),
        lane=context.lane,
        timeout_s=_find_timeout(rule, args),
        base=context.base,
        written=freeze({name: writer for name, writer in goal.written.items() if name in args}),
        author=goal.author,
        groups=goal.groups,
        terms=goal.terms,
    )
