"""Instructions for models: our own words, from texts beside this module, and the verbs as a list that takes few tokens."""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from core.policy.policy import Policy
from core.policy.policy_rules import covers_verb
from core.rules.rule_types import FromWorld, PlannerRule, RuleKey

_FOLDER = Path(__file__).with_name("prompts")
_VERBS = "{verbs}"


@cache
def read_prompt(name: str) -> str:
    """Return a text of ours by its name."""
    return (_FOLDER / f"{name}.txt").read_text("utf-8")


def instruct(name: str, rules: Mapping[RuleKey, PlannerRule], verbs: Iterable[str]) -> str:
    """Return a text with the verbs that may be used.

    Args:
        verbs: ``domain.verb`` each.
    """
    lines = (describe_verb(verb, rules[_split(verb)]) for verb in verbs)
    return read_prompt(name).replace(_VERBS, "\n".join(lines))


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
