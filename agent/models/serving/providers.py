"""Providers: how each is spoken to by pydantic-ai. A provider's library is imported when a model of it is opened."""

import logging
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import httpx2
from pydantic_ai.models import Model as LibraryModel

from agent.models.serving.wire import KeyHeader
from agent.settings.model_settings import ModelSetting, Provider

_LOUD = ("anthropic", "google_genai", "httpcore2", "httpx2", "openai")
"""Loggers that would quote questions and answers on stderr."""

_NO_KEY = "none"
"""What libraries take for the key: the right one is put into the header when a request leaves."""

_BEARER = KeyHeader("authorization", "Bearer ")

KEY_HEADERS: Mapping[Provider, KeyHeader] = {
    "openai": _BEARER,
    "ollama": _BEARER,
    "local": _BEARER,
    "anthropic": KeyHeader("x-api-key"),
    "google": KeyHeader("x-goog-api-key"),
}

ADDRESSES: Mapping[Provider, str] = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
    "google": "https://generativelanguage.googleapis.com",
}
"""Where a provider is, unless the setting says otherwise."""


def find_address(setting: ModelSetting) -> str:
    """Return where a model is served."""
    return setting.base_url or ADDRESSES[setting.provider]


def open_library_model(setting: ModelSetting, client: httpx2.AsyncClient) -> LibraryModel:
    """Return a model as the library knows it.

    Raises:
        ImportError: If the provider's library isn't installed.
    """
    for name in _LOUD:
        logger = logging.getLogger(name)
        logger.propagate = False
        logger.addHandler(logging.NullHandler())
    return _OPENERS[setting.provider](setting, client)


def _open_openai(setting: ModelSetting, client: httpx2.AsyncClient) -> LibraryModel:
    return _make("openai", "OpenAIChatModel", setting, {"openai_client": _make_openai_client(setting, client)})


def _open_ollama(setting: ModelSetting, client: httpx2.AsyncClient) -> LibraryModel:
    provider = _load("pydantic_ai.providers.ollama", "OllamaProvider")(
        openai_client=_make_openai_client(setting, client)
    )
    return _load("pydantic_ai.models.openai", "OpenAIChatModel")(setting.model, provider=provider)


def _make_openai_client(setting: ModelSetting, client: httpx2.AsyncClient) -> Any:
    make = _load("openai", "AsyncOpenAI")
    return make(base_url=find_address(setting), api_key=_NO_KEY, http_client=client, max_retries=0)


def _open_anthropic(setting: ModelSetting, client: httpx2.AsyncClient) -> LibraryModel:
    make = _load("anthropic", "AsyncAnthropic")
    speaker = make(base_url=find_address(setting), api_key=_NO_KEY, http_client=client, max_retries=0)
    return _make("anthropic", "AnthropicModel", setting, {"anthropic_client": speaker})


def _open_google(setting: ModelSetting, client: httpx2.AsyncClient) -> LibraryModel:
    parts = {"api_key": _NO_KEY, "base_url": find_address(setting), "http_client": client}
    return _make("google", "GoogleModel", setting, parts)


def _make(name: str, kind: str, setting: ModelSetting, parts: Mapping[str, Any]) -> LibraryModel:
    words = {"openai": "OpenAI", "anthropic": "Anthropic", "google": "Google"}
    provider = _load(f"pydantic_ai.providers.{name}", f"{words[name]}Provider")(**parts)
    return _load(f"pydantic_ai.models.{name}", kind)(setting.model, provider=provider)


def _load(module: str, name: str) -> Any:
    return getattr(import_module(module), name)


_OPENERS: Mapping[Provider, Callable[[ModelSetting, httpx2.AsyncClient], LibraryModel]] = {
    "openai": _open_openai,
    "local": _open_ollama,
    "ollama": _open_ollama,
    "anthropic": _open_anthropic,
    "google": _open_google,
}
