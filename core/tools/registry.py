"""ToolRegistry: the tools that exist, read from their signatures, and how to call one.

A family is registered by its domain, together with a way to get its toolsets, and instances of them. Nothing of it is imported
until a tool of that domain is asked for, and nothing started until one is called.
"""

import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import cache
from typing import Any, get_type_hints

from core.base.errors import AuthorityError, SurehandError, TableError, tell_fault
from core.base.late_dataclasses import dataclass
from core.results.tool_results import Finding, ToolCall, ToolOutcome
from core.tools.ports import ActionContext, Toolset

Provider = Callable[[type[Toolset]], Awaitable[Toolset]]


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as its signature describes it.

    Attributes:
        name: ``<domain>_<verb>``.
        hints: The type of each parameter, in the order of the signature, with what is annotated.
    """

    name: str
    domain: str
    intent: str
    verb: str
    capability: str
    hints: Mapping[str, Any]
    required: tuple[str, ...]
    defaults: Mapping[str, Any]
    toolset: type[Toolset]

    @property
    def params(self) -> tuple[str, ...]:
        """The parameters, in the order of the signature."""
        return tuple(self.hints)


class ToolRegistry:
    """All tools by name, in stable order."""

    def __init__(self) -> None:
        self._tools: dict[str, tuple[ToolSpec, Provider]] = {}
        self._waiting: dict[str, tuple[Callable[[], Iterable[type[Toolset]]], Provider]] = {}

    def register(self, toolset: type[Toolset], provider: Provider) -> None:
        """Add every verb of a toolset as a tool.

        Args:
            provider: Gives an instance of the back end when a tool is called first.

        Raises:
            TableError: If a name is taken, or a parameter has no type or is ``*`` or ``**``.
        """
        for spec in read_toolset(toolset):
            if spec.name in self._tools:
                raise TableError(f"Two tools are called {spec.name}.")
            self._tools[spec.name] = (spec, provider)

    def register_family(self, domain: str, load: Callable[[], Iterable[type[Toolset]]], provider: Provider) -> None:
        """Add every verb of a domain, once one of them is asked for."""
        self._waiting[domain] = (load, provider)

    def specs(self, domain: str = "") -> tuple[ToolSpec, ...]:
        """Return all tools, or those of a domain, sorted by name."""
        for each in [domain] if domain else [*self._waiting]:
            self._load(each)
        return tuple(
            self._tools[name][0] for name in sorted(self._tools) if domain in {"", self._tools[name][0].domain}
        )

    def _find(self, name: str) -> tuple[ToolSpec, Provider] | None:
        for domain in [each for each in self._waiting if name.startswith(f"{each}_")]:
            self._load(domain)
        return self._tools.get(name)

    def _load(self, domain: str) -> None:
        load, provider = self._waiting.pop(domain, (tuple, None))
        for toolset in load():
            assert provider
            self.register(toolset, provider)

    async def call(self, call: ToolCall, context: ActionContext) -> ToolOutcome:
        """Call a tool, starting its back end first if need be.

        Raises:
            AuthorityError: If there is no such tool.
            SurehandError: Whatever the tool raises.
        """
        verb, tools = await self.provide(call.tool)
        handler: Callable[..., Awaitable[ToolOutcome]] = getattr(tools, verb)
        return await handler(context, **call.params)

    async def reconcile(self, call: ToolCall, context: ActionContext, facts: Mapping[str, Any]) -> Finding:
        """Return whether a call that was begun was carried out.

        Raises:
            AuthorityError: If there is no such tool.
            SurehandError: If the world can't be asked, or the tool breaks: then nobody is kept from going on with the rest.
        """
        verb, tools = await self.provide(call.tool)
        try:
            return await tools.reconcile(verb, context, call.params, facts)
        except SurehandError:
            raise
        except Exception as error:
            raise SurehandError(f"The check failed with {tell_fault(error)}", code="internal_error") from error

    async def provide(self, name: str) -> tuple[str, Toolset]:
        """Return the verb of a tool, and what carries it out; its back end is started if need be.

        Raises:
            AuthorityError: If there is no such tool.
        """
        entry = self._find(name)
        if entry is None:
            raise AuthorityError(f"There is no tool “{name}”.")
        spec, provider = entry
        return spec.verb, await provider(spec.toolset)


@cache
def read_toolset(toolset: type[Toolset]) -> tuple[ToolSpec, ...]:
    """Return the tools of a class, in the order of their names; read once, since a service opens many sessions."""
    return tuple(_read_tool(toolset, verb) for verb in list_verbs(toolset))


def list_verbs(toolset: type[Toolset]) -> tuple[str, ...]:
    """Return the verbs of a toolset, sorted: its public coroutine methods that give a ``ToolOutcome``, abstract or not."""
    methods = inspect.getmembers(toolset, inspect.iscoroutinefunction)
    return tuple(name for name, each in methods if name[0] != "_" and each.__annotations__.get("return") is ToolOutcome)


def _read_tool(toolset: type[Toolset], verb: str) -> ToolSpec:
    name = f"{toolset.domain}_{verb}"
    method = getattr(toolset, verb)
    hints = get_type_hints(method, include_extras=True)
    signature = list(inspect.signature(method).parameters.values())[2:]
    for each in signature:
        if each.name not in hints or each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            raise TableError(f"{name}: {each.name} must be one parameter with a type, or it has no schema.")
    return ToolSpec(
        name=name,
        domain=toolset.domain,
        intent=toolset.intent,
        verb=verb,
        capability=toolset.capability,
        hints={each.name: hints[each.name] for each in signature},
        required=tuple(each.name for each in signature if each.default is inspect.Parameter.empty),
        defaults={each.name: each.default for each in signature if each.default is not inspect.Parameter.empty},
        toolset=toolset,
    )
