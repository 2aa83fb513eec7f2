"""RealPaths: where paths lead once links are followed, for rules that name folders, and for what Surehand keeps for itself."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from actuators.own_folders import list_own_folders, spell_really
from core.policy.policy import Policy


async def find_real_paths(paths: Sequence[str]) -> tuple[str, ...]:
    """Return where paths lead; of what isn't there, as far as the way to it is."""
    return await asyncio.to_thread(_follow, tuple(paths))


def add_real_roots(policy: Policy) -> Policy:
    """Return a policy whose rules that ask or deny hold for a folder also where it is reached past its links.

    A rule that allows holds for the folder as it is written, and for nothing else: a link in it may be somebody else's.

    Args:
        policy: With absolute roots in its rules.
    """
    limits = [
        replace(rule, roots=tuple(dict.fromkeys((*rule.roots, *_follow(rule.roots)))))
        if rule.roots is not None and rule.verdict != "allow"
        else rule
        for rule in policy.rules
    ]
    return replace(policy, rules=tuple(limits))


def _follow(paths: Sequence[str]) -> tuple[str, ...]:
    own = list_own_folders()
    return tuple(spell_really(each, own) for each in paths)
