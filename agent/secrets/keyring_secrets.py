"""Secrets in the system's keyring, by the library keyring; a keyring that is locked or hangs is said, and waited for no longer."""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeVar

from actuators.platforms.device_thread import DeviceThread
from core.base.errors import SurehandError, UnsupportedError

SERVICE = "surehand"
LIMIT_S = 15.0
"""Seconds that a keyring has to answer; it may ask the person to unlock it."""

Result = TypeVar("Result")


class KeyringSecrets:
    """The keyring of the person who is logged in."""

    def __init__(self, library: str = "keyring", *, limit_s: float = LIMIT_S) -> None:
        self._library = library
        self._limit_s = limit_s

    async def read(self, name: str) -> str | None:
        """Return a secret, None if the keyring has none of that name.

        Raises:
            UnsupportedError: ``keyring_unavailable`` if there is no keyring here, it is locked, or it doesn't answer.
        """
        return await self._ask(lambda keyring: keyring.get_password(SERVICE, name))

    async def write(self, name: str, value: str) -> None:
        """Keep a secret, in place of one of that name; read back."""

        def put(keyring: Any) -> str | None:
            keyring.set_password(SERVICE, name, value)
            return keyring.get_password(SERVICE, name)

        if await self._ask(put) != value:
            raise _make_error("it did not save what it was given")

    async def remove(self, name: str) -> None:
        """Forget a secret; one that isn't there is no error."""

        def drop(keyring: Any) -> None:
            if keyring.get_password(SERVICE, name) is not None:
                keyring.delete_password(SERVICE, name)

        await self._ask(drop)

    async def _ask(self, question: Callable[[Any], Result]) -> Result:
        thread = DeviceThread("keyring")
        try:
            return await thread.run(lambda: question(self._load()), timeout_s=self._limit_s)
        except SurehandError:
            raise
        except TimeoutError:
            raise _make_error(f"it did not answer within {self._limit_s:g} s; it may be locked") from None
        except Exception as error:  # each system's keyring fails in ways of its own
            raise _make_error(_describe(error)) from error
        finally:
            await thread.close()

    def _load(self) -> Any:
        if find_spec(self._library) is None:
            raise _make_error("the library keyring is not installed", "Install it: surehand[secrets].")
        return import_module(self._library)


def _describe(error: Exception) -> str:
    kind = type(error).__name__
    if kind == "NoKeyringError":
        return "this machine has none"
    if kind in {"KeyringLocked", "InitError"}:
        return "it is locked, or does not answer"
    return f"{kind}: {str(error).rstrip('.')}"


def _make_error(reason: str, hint: str = "") -> UnsupportedError:
    hint = hint or "Unlock the keyring, or save the secret in a file: surehand secrets set NAME --store file."
    return UnsupportedError(f"The system's keyring can't be used: {reason}.", code="keyring_unavailable", hint=hint)
