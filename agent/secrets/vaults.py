"""SessionVault: the secrets of the person, from the environment, the keyring or the file; and what was revealed of them."""

import asyncio
from collections.abc import Collection, Mapping
from typing import Any, Self

from actuators.own_folders import locate_config_folder
from agent.secrets.keyring_secrets import KeyringSecrets
from agent.secrets.secret_file import SECRETS_FILE, SecretEntry, SecretFile
from agent.settings.surroundings import read_secret_variables
from core.addresses.urls import WebAddress, judge_address
from core.base.errors import ErrorInfo, PolicyError, SurehandError, UnsupportedError
from core.base.late_dataclasses import dataclass
from core.goals.secret_values import Secret
from core.policy.policy import Policy
from core.results.redaction import Redactor
from core.rules.params import suggest

_LOOPBACK = ("localhost", "[::1]")


@dataclass(frozen=True, slots=True)
class SecretSources:
    """Where secrets come from, in the order in which they are asked.

    Attributes:
        variables: Values of the environment by name, lower-case. They aren't in the ``repr``.
        file: The file, which also says what the keyring holds and which hosts a secret is for.
    """

    variables: Mapping[str, str]
    keyring: KeyringSecrets
    file: SecretFile

    def __repr__(self) -> str:
        return f"SecretSources({', '.join(self.variables)}, {self.file.path})"

    def list_names(self) -> dict[str, tuple[str, SecretEntry]]:
        """Return the source of every secret (``environment``, ``keyring``, ``file``) and what the file says of it, by name.

        Raises:
            SurehandError: If the file can't be used.
        """
        entries = self.file.read()
        found = {name: entries.get(name, SecretEntry()) for name in sorted({*self.variables, *entries})}
        return {name: (source, entry) for name, entry in found.items() if (source := self.name_source(name, entry))}

    def find(self, name: str) -> tuple[str, SecretEntry]:
        """Return the source of a secret, empty if there is none, and what the file says of it.

        Raises:
            SurehandError: If the file can't be used.
        """
        entry = self.file.read().get(name.lower(), SecretEntry())
        return self.name_source(name, entry), entry

    def name_source(self, name: str, entry: SecretEntry) -> str:
        """Return which source is asked for a secret; empty if none has it."""
        if name.lower() in self.variables:
            return "environment"
        return "keyring" if entry.in_keyring else "file" if entry.value is not None else ""

    async def read(self, name: str, source: str, entry: SecretEntry) -> str | None:
        """Return the value of a secret from its source, None if it isn't there any more.

        Raises:
            UnsupportedError: If the keyring can't be used.
        """
        if source == "environment":
            return self.variables.get(name.lower())
        return await self.keyring.read(name.lower()) if source == "keyring" else entry.value


class SessionVault:
    """Reveals secrets one by one, and redacts those that were revealed anywhere in the session."""

    def __init__(
        self, sources: SecretSources, names: Collection[str] | None = None, redactor: Redactor | None = None
    ) -> None:
        """Reveal nothing yet, and never any secrets but those named; None for all."""
        self._sources = sources
        self._names = None if names is None else frozenset(name.lower() for name in names)
        self._redactor = Redactor() if redactor is None else redactor

    async def reveal(self, secret: Secret, address: str = "") -> str:
        """Return what a handle stands for; from then on it is redacted."""
        self._check_listed(secret)
        source, entry = await asyncio.to_thread(self._sources.find, secret.name)
        if not source:
            lack = _describe_missing(secret.name, ())
            raise UnsupportedError(lack.message, code=lack.code, hint=lack.hint, evidence=lack.evidence)
        if entry.hosts is not None:
            _check_place(secret, entry.hosts, address)
        value = await self._sources.read(secret.name, source, entry)
        if not value:
            text = f"Secret {secret.name} is no longer in the {source}."
            raise UnsupportedError(text, code="missing_secret", hint=_tell_how_to_set(secret.name))
        self._redactor.add(value)
        return value

    async def recollect(self, secrets: Collection[Secret]) -> None:
        """Redact secrets from now on that were given away by an earlier process."""
        for secret in secrets:
            source, entry = await asyncio.to_thread(self._sources.find, secret.name)
            if source and (value := await self._sources.read(secret.name, source, entry)):
                self._redactor.add(value)

    async def recollect_known(self) -> None:
        """Redact the secrets of the environment and of the file from now on; a keyring might ask the person to open it."""
        known = await asyncio.to_thread(self._sources.list_names)
        for name, (source, entry) in known.items():
            if source != "keyring" and (value := await self._sources.read(name, source, entry)):
                self._redactor.add(value)

    def redact(self, value: Any) -> Any:
        """Return a value of any shape without the secrets that were revealed."""
        return self._redactor.redact(value)

    def find_lack(self, secret: Secret) -> ErrorInfo | None:
        """Return why a run can't use a secret, without reading it; None if nothing is known against it."""
        try:
            self._check_listed(secret)
            known = self._sources.list_names()
        except SurehandError as error:
            return error.info()
        return None if secret.name.lower() in known else _describe_missing(secret.name, known)

    def list_revealed(self) -> tuple[str, ...]:
        """Return what was revealed so far."""
        return self._redactor.list_values()

    def limit(self, names: Collection[str] | None) -> Self:
        """Return a vault that reveals only these secrets of this one, and redacts whatever either of them revealed."""
        if names is None:
            return self
        kept = {name for name in names if self._names is None or name.lower() in self._names}
        return type(self)(self._sources, kept, self._redactor)

    def _check_listed(self, secret: Secret) -> None:
        if self._names is None or secret.name.lower() in self._names:
            return
        raise PolicyError(
            f"The flow doesn't list secret {secret.name}.",
            code="secret_not_listed",
            hint=f"Add it to the flow: secrets: [{secret.name}].",
        )


def _check_place(secret: Secret, hosts: tuple[str, ...], address: str) -> None:
    """Refuse to give a secret to a page of another host, or to one that somebody between here and there could change."""
    if not address:
        reason = "this is not a page"
    elif (judged := _judge(address)) is None:
        reason = "this page has no host"
    elif not _is_among(hosts, judged):
        reason = f"this page is from {judged.host}"
    elif judged.scheme == "http" and not _is_loopback(judged.hostname):
        reason = f"this page came from {judged.host} without encryption"
    else:
        return
    raise PolicyError(
        f"Secret {secret.name} is only for pages of {', '.join(hosts)}, and {reason}. Nothing was typed.",
        code="secret_bound",
        hint="Check that this is the page you expect.",
        evidence={"secret": secret.name, "hosts": list(hosts)},
    )


def _judge(address: str) -> WebAddress | None:
    try:
        judged = judge_address(address)
    except SurehandError:
        return None
    return None if judged.is_blank else judged


def _is_among(hosts: tuple[str, ...], address: WebAddress) -> bool:
    try:
        Policy(hosts).check_address(address)
    except PolicyError:
        return False
    return True


def _is_loopback(hostname: str) -> bool:
    return hostname in _LOOPBACK or hostname.startswith("127.") or hostname.endswith(".localhost")


def _describe_missing(name: str, known: Collection[str]) -> ErrorInfo:
    text = f"No secret is called {name}{suggest(name.lower(), known)}."
    return ErrorInfo("missing_secret", text, _tell_how_to_set(name), {"secret": name})


def _tell_how_to_set(name: str) -> str:
    return f"Set it: surehand secrets set {name}; or the variable SUREHAND_SECRET_{name.upper()}."


def locate_secrets(lent: Mapping[str, str] | None = None) -> SecretSources:
    """Return where the secrets of this person come from; nothing is read but variables.

    Args:
        lent: Values that come before all others, by name.
    """
    file = SecretFile(locate_config_folder() / SECRETS_FILE)
    own = {name.lower(): value for name, value in (lent or {}).items()}
    return SecretSources({**read_secret_variables(), **own}, KeyringSecrets(), file)


def open_vault(lent: Mapping[str, str] | None = None) -> SessionVault:
    """Return a vault for the secrets of this person, those that are lent before all others."""
    return SessionVault(locate_secrets(lent))
