"""The memory tools and their back end, over wherever the memory is kept."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Protocol

from actuators.base import Availability
from core.base.errors import ActionError, PolicyError
from core.base.phrases import cut_text, fold_text
from core.memory.facts import (
    ContextMemory,
    Preference,
    Scalar,
    forget_preference,
    put_back,
    require_preference,
    store_preference,
)
from core.results.records import from_data, to_data
from core.results.tool_results import Finding, ToolOutcome, UndoRecord
from core.rules.param_types import MEMORY_VALUE, MemoryKey
from core.tools.ports import ActionContext, Toolset


class Memories(Protocol):
    """Keeps one ContextMemory that several processes may change at once."""

    def assess(self) -> Availability:
        """Say whether anything can be kept (capability ``memory``); makes nothing."""
        ...

    async def read(self) -> ContextMemory:
        """Return what is kept now, if this version wrote it (SchemaError) and it can be read (ActionError)."""
        ...

    async def change(self, change: Callable[[ContextMemory], ContextMemory]) -> ContextMemory:
        """Change what is kept, based on what is kept at that moment, all or nothing, and return it as it was before.

        Args:
            change: Returns the new memory; what it raises leaves everything as it was. It may be called on a thread.

        Raises:
            SchemaError: As for ``read``.
            ActionError: If it can't be written, or somebody else holds it for too long.
        """
        ...

    async def close(self) -> None:
        """Let go of everything; calling it again does nothing."""
        ...


PUT_BACK = "put_back"
"""The operation of undo records: what was remembered under a name becomes what it was before."""

_LISTED = 80


class MemoryTools(Toolset):
    """What a person has remembered.

    ``key`` is the name of it; case and the width of spaces don't count. Nothing remembered fills a parameter by itself:
    a later step names the output of ``recall``.
    """

    domain = "memory"
    intent = "memory_operation"
    capability = "memory"

    def __init__(self, memories: Memories) -> None:
        self._memories = memories

    async def store(
        self, context: ActionContext, key: MemoryKey, value: Annotated[str | bool | float, MEMORY_VALUE]
    ) -> ToolOutcome:
        """Remember a value under a name, in the place of an earlier one.

        Args:
            key: The name, at most 200 characters.
            value: A text of at most 10,000 characters, a number, or true or false; kept exactly.

        Returns:
            Output ``key``, ``value`` as read back, ``before`` (the earlier value, or null) and ``origins`` (where the
            value was read; empty where a person said it).

        Raises:
            ActionError: If there is no room for one more (``memory_full``), or it is too long (``too_large``).
            PolicyError: If the value holds a secret (``holds_secret``).
        """
        if any(context.vault.redact(each) != each for each in (key, value)):
            text = "The value contains a secret, and secrets are never stored."
            raise PolicyError(text, code="holds_secret", hint="Write secret:name where it is needed.")
        made = Preference(
            key=key,
            value=value,
            run_id=context.run_id,
            action_id=context.action_id,
            at=datetime.now(UTC).isoformat(timespec="seconds"),
            origins=context.origins,
        )
        before = await self._memories.change(lambda memory: store_preference(memory, made))
        found = (await self._memories.read()).find(key)
        former = before.find(key)
        output = {
            "key": key,
            "value": found.value if found else None,
            "before": former.value if former else None,
            "origins": list(map(str, made.origins)),
        }
        return _tell(output, made, found, former)

    async def recall(self, context: ActionContext, key: MemoryKey) -> ToolOutcome:
        """Tell what is remembered under a name.

        Args:
            key: The name.

        Returns:
            Output ``key``, ``value``, ``text`` (the value as text), ``origins`` and ``stored_at`` (UTC, ISO 8601);
            evidence says which run stored it, and where the value had been read.

        Raises:
            ActionError: If nothing is remembered under that name (``not_remembered``); names the nearest.
        """
        del context
        found = require_preference(await self._memories.read(), key)
        output = {**_describe(found), "text": _write(found.value)}
        return ToolOutcome(output, evidence={"run": found.run_id, "origins": to_data(found.origins), "at": found.at})

    async def forget(self, context: ActionContext, key: MemoryKey) -> ToolOutcome:
        """Forget what is remembered under a name.

        Args:
            key: The name.

        Returns:
            Output ``key`` and ``before`` (what was remembered).

        Raises:
            ActionError: As for ``recall``.
        """
        del context
        before = await self._memories.change(lambda memory: forget_preference(memory, key))
        found = (await self._memories.read()).find(key)
        former = require_preference(before, key)
        return _tell({"key": former.key, "before": former.value}, None, found, former)

    async def list(self, context: ActionContext) -> ToolOutcome:
        """Tell everything that is remembered.

        Returns:
            Output ``entries`` (key, value, origins, stored_at; the latest first), ``count`` and ``text``.
        """
        del context
        kept = (await self._memories.read()).preferences
        text = "; ".join(f"{each.key}: {cut_text(fold_text(_write(each.value)), _LISTED)}" for each in kept)
        entries = [_describe(each) for each in kept]
        output = {"entries": entries, "count": len(kept), "text": text or "Nothing is remembered."}
        return ToolOutcome(output, evidence={"count": len(kept)})

    async def predict(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what is remembered under the name before the act."""
        del verb, context
        key = args.get("key")
        return {"entry": to_data((await self._memories.read()).find(key))} if isinstance(key, str) else {}

    async def reconcile(
        self, verb: str, context: ActionContext, args: Mapping[str, Any], facts: Mapping[str, Any]
    ) -> Finding:
        """Tell from what is remembered now whether something was forgotten."""
        del verb, context
        now = (await self._memories.read()).find(args["key"])
        entry = facts.get("entry")
        if now is None and entry:
            former = from_data(Preference, entry)
            outcome = _tell({"key": former.key, "before": former.value}, None, None, former)
            return Finding("done", {"entry": None}, outcome)
        same = to_data(now) == (entry or None)
        return Finding("not_done" if same else "unknown", evidence={"entry": to_data(now)})


def _tell(
    output: Mapping[str, Any], wanted: Preference | None, found: Preference | None, former: Preference | None
) -> ToolOutcome:
    """Return the outcome of an act: confirmed if what was read back is what was wanted, and nobody changed it at once."""
    key = output["key"]
    kept = {"key": key, "entry": to_data(former)}
    return ToolOutcome(
        output,
        effect="confirmed" if found == wanted else "unverified",
        evidence={"entry": to_data(found)},
        undo=f"remember “{former.key}” as before" if former else f"forget “{key}”",
        undo_record=UndoRecord("memory", PUT_BACK, kept, {"entry": to_data(wanted)}),
    )


def _describe(preference: Preference) -> dict[str, Any]:
    return {
        "key": preference.key,
        "value": preference.value,
        "origins": list(map(str, preference.origins)),
        "stored_at": preference.at,
    }


def _write(value: Scalar) -> str:
    return value if isinstance(value, str) else json.dumps(value)


class MemoryBackEnd:
    """Remembers in one place."""

    def __init__(self, memories: Memories) -> None:
        self._memories = memories
        self.toolsets: Mapping[type[Toolset], Toolset] = {MemoryTools: MemoryTools(memories)}

    def assess(self, capability: str) -> Availability:
        """Say whether anything can be kept."""
        del capability
        return self._memories.assess()

    async def take_back(self, context: ActionContext, record: UndoRecord) -> ToolOutcome:
        """Make what was remembered under a name what it was before, or ``changed_since`` if it isn't as it was left."""
        del context
        if record.operation != PUT_BACK:
            raise ActionError(f"Memory can't undo {record.operation}.", code="not_undoable")
        key: str = record.params["key"]
        entry = record.params.get("entry")
        former = from_data(Preference, entry) if entry else None
        expected = record.guard.get("entry")

        def change(memory: ContextMemory) -> ContextMemory:
            now = memory.find(key)
            if to_data(now) != expected:
                text = f"The value of “{key}” was changed since."
                raise ActionError(text, code="changed_since", evidence={"now": to_data(now)})
            return put_back(memory, key, former)

        before = await self._memories.change(change)
        found = (await self._memories.read()).find(key)
        output = {"key": key, "value": found.value if found else None}
        return _tell(output, former, found, before.find(key))

    async def close(self) -> None:
        """Let go of the memory."""
        await self._memories.close()
