"""Models by name: the layers around what speaks to one, put together from the person's settings."""

import asyncio
from collections.abc import Mapping
from importlib import import_module

from actuators.own_folders import locate_state_folder
from agent.models.failures import fail_missing_library, fail_setting, fail_unknown
from agent.models.serving.budgets import BudgetedModel, DayBook
from agent.models.serving.keeping import KeepingModel
from agent.models.serving.recording import RecordingModel, ReplayedModel
from agent.models.wishes import ModelWish
from agent.settings.model_settings import ModelSetting
from core.base.late_dataclasses import dataclass, field
from core.goals.secret_values import Vault
from core.planning.planners.ports import Model, ModelAnswer, ModelQuestion

_FOLDER = "models"
_ADAPTER = "agent.models.serving.adapter"


def open_model(wish: ModelWish, settings: Mapping[str, ModelSetting], vault: Vault) -> Model:
    """Return the model that is wanted; nothing is imported, read or reached before it is asked.

    Raises:
        ModelError: If there is none of that name, or its setting lacks something.
    """
    if wish.replay:
        return ReplayedModel(wish.replay)
    setting = settings.get(wish.name)
    if setting is None:
        raise fail_unknown(wish.name, sorted(settings))
    if fault := setting.find_fault():
        raise fail_setting(wish.name, fault)
    folder = locate_state_folder() / _FOLDER
    budgeted = BudgetedModel(ProvidedModel(wish.name, setting, vault), setting, DayBook(folder))
    kept = KeepingModel(budgeted, setting, folder)
    return RecordingModel(kept, wish.record) if wish.record else kept


@dataclass(slots=True)
class ProvidedModel:
    """A model of a provider; the library that speaks to it is imported when something is asked first."""

    called: str
    setting: ModelSetting
    vault: Vault
    _opened: Model | None = field(default=None, init=False)
    _opening: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    @property
    def name(self) -> str:
        """Return what the settings call it."""
        return self.called

    async def ask(self, question: ModelQuestion) -> ModelAnswer:
        """Answer a question."""
        async with self._opening:
            if self._opened is None:
                self._opened = await self._open()
        return await self._opened.ask(question)

    async def close(self) -> None:
        """Let go of connections."""
        if self._opened:
            await self._opened.close()

    async def _open(self) -> Model:
        try:
            adapter = await asyncio.to_thread(import_module, _ADAPTER)
        except ImportError as error:
            raise fail_missing_library(error.name or "pydantic-ai") from None
        opened: Model = await adapter.open_adapter(self.called, self.setting, self.vault)
        return opened
