"""secrets.toml: what is known of each secret, and the values of those that no keyring keeps; for its owner's eyes alone."""

import json
import os
import stat
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agent.store.private_files import write_whole
from core.base.errors import InputError, RefusedError
from core.base.late_dataclasses import dataclass, field, replace
from core.goals.secret_values import is_secret_name

SECRETS_FILE = "secrets.toml"
_KEYS = frozenset({"value", "keyring", "hosts"})


@dataclass(frozen=True, slots=True)
class SecretEntry:
    """What the file says of one secret.

    Attributes:
        value: The secret itself; None where the file doesn't hold it. It isn't in the entry's ``repr``.
        hosts: Hosts whose pages it may be given to, as in a policy; None for no limit.
    """

    value: str | None = field(default=None, repr=False)
    in_keyring: bool = False
    hosts: tuple[str, ...] | None = None


class SecretFile:
    """The file in the person's configuration folder."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> dict[str, SecretEntry]:
        """Return every entry by name, in lower case; none where there is no file.

        Raises:
            RefusedError: ``secrets_exposed`` if others than its owner may read or change it.
            InputError: ``bad_secrets`` if it can't be read or understood; no value is quoted.
        """
        try:
            with self.path.open("rb") as file:
                self._check_owner(os.fstat(file.fileno()))
                text = file.read().decode()
        except FileNotFoundError:
            return {}
        except (OSError, UnicodeDecodeError) as error:
            raise self._fail(f"it can't be read ({type(error).__name__})") from None
        return self._parse(text)

    def write(self, entries: Mapping[str, SecretEntry]) -> None:
        """Replace the file in one step; only its owner may read it.

        Raises:
            InputError: ``bad_secrets`` if it can't be written.
        """
        text = "".join(_write_entry(name, entries[name]) for name in sorted(entries))
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(self.path, text.encode())
        except OSError as error:
            raise self._fail(f"it can't be written ({error.strerror})") from None

    def change(self, name: str, **parts: Any) -> None:
        """Change parts of an entry, or make it; as ``write``."""
        entries = self.read()
        self.write({**entries, name: replace(entries.get(name, SecretEntry()), **parts)})

    def remove(self, name: str) -> None:
        """Drop an entry; one that isn't there is no error."""
        entries = self.read()
        if entries.pop(name, None):
            self.write(entries)

    def _check_owner(self, facts: os.stat_result) -> None:
        if sys.platform == "win32":
            return  # the profile's own access list keeps others out
        if facts.st_uid != os.getuid() or stat.S_IMODE(facts.st_mode) & 0o077:
            raise RefusedError(
                f"{self.path} can be read or changed by others, so it is not used.",
                code="secrets_exposed",
                hint=f"Run chmod 600 {self.path}, and change the secrets: others may know them.",
            )

    def _parse(self, text: str) -> dict[str, SecretEntry]:
        try:
            data = tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            # Its message quotes at most one character; the place is what helps.
            raise self._fail(f"it is not valid TOML: {error}") from None
        entries = {name.lower(): self._read_entry(name, part) for name, part in data.items()}
        if len(entries) < len(data):
            raise self._fail("a name appears twice; capital letters make no difference")
        return entries

    def _read_entry(self, name: str, part: Any) -> SecretEntry:
        if not is_secret_name(name):
            raise self._fail(f'"{name}" can\'t name a secret')
        if isinstance(part, str):
            part = {"value": part}
        if not isinstance(part, dict) or part.keys() - _KEYS:
            raise self._fail(f"{name} must be a text, or a table with {', '.join(sorted(_KEYS))}")
        value, in_keyring, hosts = part.get("value"), part.get("keyring", False), part.get("hosts")
        if not (value is None or (isinstance(value, str) and value)) or not isinstance(in_keyring, bool):
            raise self._fail(f"{name}: value must be a text that isn't empty, and keyring true or false")
        if hosts is not None and not (isinstance(hosts, list) and hosts and all(isinstance(h, str) for h in hosts)):
            raise self._fail(f"{name}: hosts must be a list of hosts that isn't empty")
        return SecretEntry(value, in_keyring, tuple(hosts) if hosts else None)

    def _fail(self, reason: str) -> InputError:
        return InputError(f"{self.path} can't be used: {reason}.", code="bad_secrets")


def _write_entry(name: str, entry: SecretEntry) -> str:
    lines = [f"[{name}]"]
    if entry.value is not None:
        lines.append(f"value = {_quote(entry.value)}")
    if entry.in_keyring:
        lines.append("keyring = true")
    if entry.hosts is not None:
        lines.append(f"hosts = [{', '.join(map(_quote, entry.hosts))}]")
    return "\n".join(lines) + "\n\n"


def _quote(text: str) -> str:
    """Return a text as TOML writes it: as JSON does, and one character more is escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
