"""Instructions for models: the verbs as a list that takes few tokens."""

from collections.abc import Iterable, Mapping

from core.policy.policy import Policy
from core.policy.policy_rules import covers_verb
from core.rules.rule_types import FromWorld, PlannerRule, RuleKey


def describe_verbs(rules: Mapping[RuleKey, PlannerRule], verbs: Iterable[str]) -> str:
    """Return the verbs that may be used, one on each line.

    Args:
        verbs: ``domain.verb`` each.
    """
    return "\n".join(describe_verb(verb, rules[_split(verb)]) for verb in verbs)


def list_verbs(rules: Mapping[RuleKey, PlannerRule], policy: Policy) -> tuple[str, ...]:
    """Return the verbs that a model may propose: those that policy allows, and of those that are off by default the ones it names."""
    names = {f"{domain}.{verb}": rule for (domain, verb), rule in rules.items()}
    allowed = policy.verbs
    return tuple(
        name
        for name, rule in names.items()
        if (not rule.opt_in or name in policy.extra_verbs)
        and (allowed is None or any(covers_verb(entry, name) for entry in allowed))
    )


def describe_verb(name: str, rule: PlannerRule) -> str:
    """Return a verb on one line: its params with their types, and what it does."""
    required = [_describe_param(each, rule) for each in rule.required_params]
    optional = [f"{_describe_param(each, rule)}?" for each in rule.optional_params]
    return f"- {name}({', '.join([*required, *optional])}): {rule.description_template}"


def _describe_param(name: str, rule: PlannerRule) -> str:
    allowed = rule.allowed_values.get(name)
    if allowed is None or isinstance(allowed, FromWorld):
        return f"{name}: {rule.param_types[name].label}"
    return f"{name}: {'|'.join(allowed)}"


def _split(name: str) -> RuleKey:
    domain, _, verb = name.partition(".")
    return domain, verb
