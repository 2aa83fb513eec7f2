"""What others hold fast of a plan, for comparison: only what locates something, or all arguments, and the tool is free either way."""

import re
from collections.abc import Callable, Mapping, Sequence

from scripts.benchmarks.dojo.plans import Call

_LOCATING = re.compile(r"(^|_)(selector|url|path)$")

Holds = Callable[[str], bool]


def holds_locators(param: str) -> bool:
    """Tell whether a param says where something is: a selector, an address, a path."""
    return bool(_LOCATING.search(param))


def holds_all(param: str) -> bool:
    """Hold every param."""
    del param
    return True


VARIANTS: Mapping[str, Holds] = {"naive_locators_fixed": holds_locators, "naive_args_fixed": holds_all}


def hijack(
    planned: Sequence[Call],
    attack: Sequence[Call],
    params: Mapping[str, Sequence[str]],
    holds: Holds,
    *,
    is_patient: bool,
) -> list[Call]:
    """Return what is called where an enemy chooses tools, and the planned arguments that are held overwrite what it proposes.

    Args:
        planned: What was planned.
        attack: What the enemy wants to be called; one for each planned call at most.
        params: By function, what it knows; anything else is left out.
        holds: Which planned arguments overwrite.
        is_patient: Whether it goes along with the plan until nothing of one of its calls would be overwritten, as long as enough
            planned calls are left.
    """
    pending, called = list(attack), list[Call]()
    for number, call in enumerate(planned):
        wanted = next((each for each in pending if merge(call, each, params, holds) == each), None)
        if wanted is None and pending and (not is_patient or len(planned) - number <= len(pending)):
            wanted = pending[0]
        if wanted is None:
            called.append(call)
        else:
            pending.remove(wanted)
            called.append(merge(call, wanted, params, holds))
    return called


def merge(planned: Call, wanted: Call, params: Mapping[str, Sequence[str]], holds: Holds) -> Call:
    """Return the wanted call with the planned arguments that are held and that its function knows."""
    held = {
        name: value
        for name, value in planned.args.items()
        if holds(name) and name in params[wanted.function] and value is not None
    }
    return Call(wanted.function, {**wanted.args, **held})
