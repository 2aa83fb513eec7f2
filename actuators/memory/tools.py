"""What the memory family publishes: remembering, recalling and forgetting, by name."""

from abc import abstractmethod
from typing import Annotated, ClassVar

from core.results.tool_results import ToolOutcome
from core.rules.param_types import MEMORY_VALUE, MemoryKey
from core.tools.ports import ActionContext, Toolset


class MemoryTools(Toolset):
    """What a person has remembered.

    ``key`` is the name of it; case and the width of spaces don't count. Nothing remembered fills a parameter by itself:
    a later step names the output of ``recall``.
    """

    domain: ClassVar[str] = "memory"
    intent: ClassVar[str] = "memory_operation"
    capability: ClassVar[str] = "memory"

    @abstractmethod
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

    @abstractmethod
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

    @abstractmethod
    async def forget(self, context: ActionContext, key: MemoryKey) -> ToolOutcome:
        """Forget what is remembered under a name.

        Args:
            key: The name.

        Returns:
            Output ``key`` and ``before`` (what was remembered).

        Raises:
            ActionError: As for ``recall``.
        """

    @abstractmethod
    async def list(self, context: ActionContext) -> ToolOutcome:
        """Tell everything that is remembered.

        Returns:
            Output ``entries`` (key, value, origins, stored_at; the latest first), ``count`` and ``text``.
        """


MEMORY_TOOLSETS: tuple[type[Toolset], ...] = (MemoryTools,)
