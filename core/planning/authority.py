"""Authority: planned arguments are the truth, whatever a resolver says.

The rules, and where each is kept:

1. Planned args overwrite the call's: ``enforce_authority`` starts from a copy of them.
2. A resolver adds nothing: what it proposes beside the planned args is dropped, and the receipt names it.
3. A resolver chooses only among the tools of the action: ``list_candidates`` and the check in ``enforce_authority``.
   The set is narrower than the intent: same intent, domain and verb.
4. What a page or tool returns is data: values reach arguments only through the references that the author wrote, and
   ``core.goals.references`` looks up nothing else.
5. An approval names the digest of the action: ``core.approvals.approvals``.
6. What is executed equals what was planned: the digest of the final call is compared here, and is in the receipt.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from core.base.errors import AuthorityError, UnsupportedError
from core.base.late_dataclasses import dataclass
from core.planning.plans import PlannedAction, compute_digest, thaw
from core.results.tool_results import ToolCall
from core.tools.registry import ToolSpec


class ToolResolver(Protocol):
    """Chooses a tool and proposes a call. Whatever it returns, authority has the last word."""

    async def resolve(self, action: PlannedAction, candidates: Sequence[ToolSpec]) -> ToolCall:
        """Propose a call for an action.

        Args:
            action: What shall be done; a copy, so that nothing comes of changing it.
            candidates: The tools that may be chosen; copies, too.
        """
        ...


class RulesResolver:
    """Takes the first candidate; there is exactly one unless several back ends offer the same verb."""

    name = "rules"

    async def resolve(self, action: PlannedAction, candidates: Sequence[ToolSpec]) -> ToolCall:
        """Propose the first candidate with the planned arguments.

        Raises:
            UnsupportedError: If there is no candidate.
        """
        if not candidates:
            raise UnsupportedError(f"No tool for {action.name} is installed.", hint="Run surehand doctor to see why.")
        return ToolCall(candidates[0].name, dict(action.args))


_LONGEST_NAME = 100
_LISTED = 20


@dataclass(frozen=True, slots=True)
class EnforcedCall:
    """A call that may be executed.

    Attributes:
        dropped: Parameters that the resolver tried to set or change, and may not; at most 20, and how many more.
    """

    call: ToolCall
    args_digest: str
    dropped: tuple[str, ...]


def list_candidates(action: PlannedAction, specs: Iterable[ToolSpec]) -> tuple[ToolSpec, ...]:
    """Return the only tools that may carry out an action: those of its domain, intent and verb."""
    wanted = (action.domain, action.intent, action.verb)
    return tuple(spec for spec in specs if (spec.domain, spec.intent, spec.verb) == wanted)


def enforce_authority(action: PlannedAction, proposed: ToolCall, candidates: Sequence[ToolSpec]) -> EnforcedCall:
    """Return the call that is executed, whatever was proposed.

    Raises:
        AuthorityError: If the tool is not among the candidates, or the executed arguments would differ from the
            planned ones.
    """
    tool, params, nameless = _read_call(proposed)
    spec = next((each for each in candidates if each.name == tool), None)
    if spec is None:
        allowed = ", ".join(each.name for each in candidates) or "none"
        raise AuthorityError(f"“{tool[:_LONGEST_NAME]}” may not carry out {action.action_id}; allowed: {allowed}.")
    planned = {name: thaw(value) for name, value in action.args.items()}
    digest = compute_digest(action.domain, action.intent, action.verb, planned)
    if digest != action.digest:
        raise AuthorityError(f"The arguments of {action.action_id} differ from the planned ones.")
    dropped = [
        name for name, value in params.items() if not (name in action.args and _equals(value, action.args[name]))
    ]
    return EnforcedCall(ToolCall(spec.name, planned), digest, _list_dropped(dropped, nameless))


def _read_call(proposed: object) -> tuple[str, dict[str, Any], int]:
    """Return the tool, the parameters and how many had no text for a name.

    Only the plain types are read, each once: a subclass could answer differently every time that it is asked.
    """
    if type(proposed) is not ToolCall:
        raise AuthorityError(f"A resolver answered with {type(proposed).__name__}, not with a ToolCall.")
    tool, params = proposed.tool, proposed.params
    if type(tool) is not str or type(params) is not dict:
        raise AuthorityError(
            "A resolver answered with a ToolCall whose name is not plain text or whose arguments are not a plain dict."
        )
    named = {name: value for name, value in params.items() if type(name) is str}
    return tool, named, len(params) - len(named)


def _list_dropped(names: Sequence[str], nameless: int) -> tuple[str, ...]:
    listed = [name[:_LONGEST_NAME] for name in sorted(names)[:_LISTED]]
    others = len(names) - len(listed) + nameless
    return (*listed, f"and {others} more") if others else tuple(listed)


def _equals(value: Any, planned: Any) -> bool:
    """Tell whether a proposed value is the planned one; looks no deeper than the planned one goes."""
    if value is planned:
        return True
    if isinstance(planned, tuple):
        return type(value) in {list, tuple} and len(value) == len(planned) and all(map(_equals, value, planned))
    if isinstance(planned, Mapping):
        return (
            type(value) is dict
            and all(type(key) is str for key in value)
            and value.keys() == planned.keys()
            and all(_equals(value[key], planned[key]) for key in planned)
        )
    return type(value) is type(planned) and value == planned
