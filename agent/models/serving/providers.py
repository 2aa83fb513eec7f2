"""Providers: how each is spoken to by pydantic-ai. A provider's library is imported when a model of it is opened."""

import logging
from collections.abc import AsyncIterator, Callable, Mapping
from importlib import import_module
from typing import Any

import httpx2
from pydantic_ai.models import Model as LibraryModel

from agent.settings.model_settings import ModelSetting, Provider
from core.base.late_dataclasses import dataclass

MAX_BYTES = 2_000_000
"""Bytes of one answer that are read."""

_CONNECTING_S = 10.0
_SENT = frozenset(
    {
        "host",
        "accept",
        "content-type",
        "content-length",
        "transfer-encoding",
        "user-agent",
        "anthropic-version",
        "anthropic-beta",
    }
)
"""Headers that leave; libraries add others from the environment, such as the organisation that another key belongs to."""


class TooLargeError(httpx2.TransportError):
    """An answer is longer than what is read."""


class PackedError(httpx2.TransportError):
    """An answer is packed, though that was not asked for: it might be larger than it looks."""


class MovedError(httpx2.TransportError):
    """A server sends its askers elsewhere; a key that went along would be somebody else's."""


@dataclass(frozen=True, slots=True)
class KeyHeader:
    """The header that carries a key.

    Attributes:
        before: What stands before the key in it.
    """

    name: str
    before: str = ""


class _CappedStream(httpx2.AsyncByteStream):
    """Bytes as they arrive, up to a limit."""

    def __init__(self, inner: httpx2.AsyncByteStream, limit: int) -> None:
        self._inner = inner
        self._limit = limit

    async def __aiter__(self) -> AsyncIterator[bytes]:
        seen = 0
        async for chunk in self._inner:
            seen += len(chunk)
            if seen > self._limit:
                raise TooLargeError(f"more than {self._limit} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()


class GuardedTransport(httpx2.AsyncBaseTransport):
    """Sends requests with our headers and key only, and reads answers up to a limit.

    No library that uses it holds the key, so that none can log or quote it.
    """

    def __init__(self, inner: httpx2.AsyncBaseTransport, key: Mapping[str, str], limit: int = MAX_BYTES) -> None:
        self._inner = inner
        self._key = dict(key)
        self._limit = limit

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request and return the answer, whose body is yet to be read; a TransportError of ours where it is too long, packed or a redirect."""
        kept = [(name, value) for name, value in request.headers.items() if name.lower() in _SENT]
        request.headers = httpx2.Headers([*kept, *self._key.items(), ("accept-encoding", "identity")])
        response = await self._inner.handle_async_request(request)
        packed = response.headers.get("content-encoding", "identity").strip().lower() not in {"", "identity"}
        length = response.headers.get("content-length", "")
        fault: Exception | None = PackedError("packed") if packed else None
        if response.is_redirect:
            fault = MovedError("moved")
        elif length.isdecimal() and int(length) > self._limit:
            fault = TooLargeError(f"{length} bytes")
        if fault:
            await response.aclose()
            raise fault
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _CappedStream(response.stream, self._limit)
        return response

    async def aclose(self) -> None:
        """Close the other transport."""
        await self._inner.aclose()


def open_client(key: Mapping[str, str], timeout_s: float) -> httpx2.AsyncClient:
    """Return a client that follows no redirect, takes nothing from the environment, and reads up to a limit."""
    transport = GuardedTransport(httpx2.AsyncHTTPTransport(trust_env=False, retries=0), key)
    timeout = httpx2.Timeout(timeout_s, connect=min(_CONNECTING_S, timeout_s))
    return httpx2.AsyncClient(transport=transport, timeout=timeout, follow_redirects=False, trust_env=False)


def find_cause(error: BaseException, *kinds: type[BaseException]) -> BaseException | None:
    """Return the error of one of these kinds that led to another one, or is it; None if there is none."""
    seen: set[int] = set()
    found: BaseException | None = error
    while found is not None and id(found) not in seen:
        if isinstance(found, kinds):
            return found
        seen.add(id(found))
        found = found.__cause__ or found.__context__
    return None


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
    """Return a model as the library knows it; an ImportError where the library of its provider isn't installed."""
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
