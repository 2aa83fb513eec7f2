"""Secret: a handle that stands for a password or token; only an actuator learns what it stands for."""

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol, Self

from core.base.errors import ErrorInfo, UnsupportedError
from core.base.late_dataclasses import dataclass
from core.base.late_parts import compile_late

if TYPE_CHECKING:
    from pydantic_core.core_schema import CoreSchema

PREFIX = "secret:"
"""A param that may hold a secret, and whose author wrote ``secret:name``, holds a handle and not that text."""

VARIABLES = "SUREHAND_SECRET_"
"""What the names of the variables of the environment that hold secrets begin with."""

_NAME = compile_late(r"[A-Za-z][A-Za-z0-9_]{0,99}")


@dataclass(frozen=True, slots=True)
class Secret:
    """A handle.

    Made from what the author of a goal wrote, never from a value that was read: a page can't name a secret.
    """

    name: str

    def __str__(self) -> str:
        """Return the handle as people write it."""
        return f"{PREFIX}{self.name}"

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> "CoreSchema":
        """Say how schemas of tools describe it: as the text that stands for it."""
        del source, handler
        return {"type": "str", "pattern": f"^{PREFIX}{_NAME.pattern}$"}


class Vault(Protocol):
    """Knows the secrets of a session, and keeps them out of everything that is told or kept."""

    async def reveal(self, secret: Secret, address: str = "") -> str:
        """Return what a handle stands for; from then on it is redacted.

        Args:
            address: Of the page that it is about to be given to; empty where it goes elsewhere than to a page.

        Raises:
            SurehandError: If there is no such secret, the run may not use it, or it is bound to other hosts than that of
                the address.
        """
        ...

    async def recollect(self, secrets: Collection[Secret]) -> None:
        """Redact secrets from now on that were given away by an earlier process; nobody gets them by that.

        One that is nowhere any more can't be redacted, and is passed over.

        Raises:
            SurehandError: If where one is kept can't be asked.
        """
        ...

    async def recollect_known(self) -> None:
        """Redact every secret from now on that can be read without asking a person, whoever may use it; nobody gets them by that.

        For what leaves this machine: there a secret may stand that this session never used.
        """
        ...

    def redact(self, value: Any) -> Any:
        """Return a value of any shape without the secrets that were revealed: each, in any usual encoding, is ``•••``."""
        ...

    def find_lack(self, secret: Secret) -> ErrorInfo | None:
        """Return why a run can't use a secret, without reading it; None if nothing is known against it."""
        ...

    def list_revealed(self) -> tuple[str, ...]:
        """Return what was revealed so far, for actuators that have to find it on a screen; it may go nowhere else."""
        ...

    def limit(self, names: Collection[str] | None) -> Self:
        """Return a vault that reveals only these secrets of this one, None for all, and redacts whatever either of them revealed."""
        ...


class EmptyVault:
    """Knows no secret."""

    async def reveal(self, secret: Secret, address: str = "") -> str:
        """Refuse by ``missing_secret``."""
        del address
        raise UnsupportedError(f"Secret {secret.name} is not set.", code="missing_secret")

    async def recollect(self, secrets: Collection[Secret]) -> None:
        """Pass them over."""

    async def recollect_known(self) -> None:
        """Have nothing to redact."""

    def redact(self, value: Any) -> Any:
        """Return the value."""
        return value

    def find_lack(self, secret: Secret) -> ErrorInfo | None:
        """Say that there is none."""
        return ErrorInfo("missing_secret", f"Secret {secret.name} is not set.")

    def list_revealed(self) -> tuple[str, ...]:
        """Return nothing."""
        return ()

    def limit(self, names: Collection[str] | None) -> Self:
        """Return this one."""
        del names
        return self


NO_VAULT = EmptyVault()


def is_secret_name(text: str) -> bool:
    """Tell whether a text can name a secret: a letter, then letters, digits and ``_``, all of them ASCII; at most 100."""
    return _NAME.fullmatch(text) is not None


def read_handle(value: object) -> Secret | None:
    """Return the handle that an author wrote, or None."""
    if isinstance(value, str) and value.startswith(PREFIX) and is_secret_name(value[len(PREFIX) :]):
        return Secret(value[len(PREFIX) :])
    return None


def is_misspelt_handle(value: object) -> bool:
    """Tell whether an author seems to have meant a handle, with a name that no secret can have."""
    return (
        isinstance(value, str)
        and value.startswith(PREFIX)
        and value != PREFIX
        and not any(map(str.isspace, value))
        and read_handle(value) is None
    )


def find_written_handles(value: object) -> Iterator[Secret]:
    """Yield every handle that is written in a value as a whole text, however deep."""
    if handle := read_handle(value):
        yield handle
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from find_written_handles(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from find_written_handles(each)
