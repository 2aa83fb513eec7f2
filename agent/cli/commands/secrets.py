"""`surehand secrets`: what there is by name, and setting and removing; a value is never shown."""

import asyncio
import getpass
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from agent.cli.declaring import command, make_group
from agent.cli.exits import SUCCEEDED
from agent.cli.options import AsJson, Option
from agent.cli.screen.output import show, write_error_text, write_lines
from agent.secrets.secret_file import SecretEntry
from agent.secrets.vaults import SecretSources, locate_secrets
from core.addresses.urls import is_host_entry
from core.base.errors import InputError, UnsupportedError
from core.goals.secret_values import is_secret_name
from core.results.redaction import SHORT_CHARS

_STORES = ("", "keyring", "file")

app = make_group(
    "Save passwords and tokens that goals name as secret:NAME.",
    "surehand secrets set shop_password --host shop.example",
)


@command(app, "list", "surehand secrets list")
def list_secrets(as_json: AsJson = False) -> int:
    """List names, sources and hosts; never a value."""
    known = locate_secrets().list_names()
    described = [_describe(name, source, entry) for name, (source, entry) in known.items()]
    show(described, map(_tell, described), as_json=as_json)
    if not (described or as_json):
        write_error_text("No secrets yet. Add one: surehand secrets set NAME\n")
    return SUCCEEDED


@command(app, "set", "surehand secrets set shop_password --host shop.example")
def set_secret(
    name: Annotated[str, Option("NAME", "A letter, then letters, digits and _.")],
    hosts: Annotated[tuple[str, ...], Option("--host HOST", "Give it to pages of this host only. Repeatable.")] = (),
    store: Annotated[str, Option("--store WHERE", "Save it in the keyring or in a file.")] = "",
) -> int:
    """Save a secret: type it unseen, or pipe it to stdin."""
    _check(name, hosts, store)
    value = _read_value(name)
    sources = locate_secrets()
    bound = hosts or sources.find(name)[1].hosts  # what was said of it before holds, else no limit
    kept = asyncio.run(_keep(sources, (name.lower(), value, bound), store))
    write_lines([f"Saved {name.lower()} in the {kept}."])
    if name.lower() in sources.variables:
        write_error_text(f"The variable SUREHAND_SECRET_{name.upper()} is set, and is used instead.\n")
    if len(value) < SHORT_CHARS:
        text = f"It is shorter than {SHORT_CHARS} characters, so outputs hide it only where it stands alone.\n"
        write_error_text(text)
    return SUCCEEDED


@command(app, "remove", "surehand secrets remove shop_password")
def remove_secret(name: Annotated[str, Option("NAME", "Which one.")]) -> int:
    """Forget a secret."""
    sources = locate_secrets()
    source, entry = sources.find(name)
    if source == "environment" and not entry.in_keyring and entry.value is None:
        text = f"{name} comes from the variable SUREHAND_SECRET_{name.upper()}, which Surehand can't remove."
        raise InputError(text, code="not_removable", hint="Unset the variable.")
    if not source:
        raise InputError(f"No secret is called {name}.", code="missing_secret")
    if entry.in_keyring:
        asyncio.run(sources.keyring.remove(name.lower()))
    sources.file.remove(name.lower())
    write_lines([f"Removed {name.lower()}."])
    return SUCCEEDED


def _check(name: str, hosts: Sequence[str], store: str) -> None:
    if not is_secret_name(name):
        hint = "Use a letter, then letters, digits and _."
        raise InputError(f'"{name}" is not a name for a secret.', code="bad_secret_name", hint=hint)
    for host in hosts:
        if not is_host_entry(host):
            raise InputError(
                f'"{host}" is not a host.', code="bad_host", hint="Write it like shop.example or *.shop.example."
            )
    if store not in _STORES:
        raise InputError(f'"{store}" is not a place for secrets.', code="bad_usage", hint="Choose keyring or file.")


def _read_value(name: str) -> str:
    """Return what the person types without seeing it, or the whole of a pipe without its last line end."""
    if sys.stdin.isatty():
        value = getpass.getpass(f"{name}: ")
    else:
        value = sys.stdin.read().removesuffix("\n").removesuffix("\r")
    if not value.strip():
        raise InputError("A secret can't be empty.", code="empty_secret", hint="Type it, or pipe it to stdin.")
    return value


async def _keep(sources: SecretSources, secret: tuple[str, str, tuple[str, ...] | None], store: str) -> str:
    """Keep a secret (its name, value and hosts); return where."""
    name, value, hosts = secret
    if store != "file":
        try:
            await sources.keyring.write(name, value)
        except UnsupportedError as error:
            if store == "keyring":
                raise
            write_error_text(f"{error.message}\n")
        else:
            sources.file.change(name, value=None, in_keyring=True, hosts=hosts)
            return "keyring"
    sources.file.change(name, value=value, in_keyring=False, hosts=hosts)
    return f"file {sources.file.path}"


def _describe(name: str, source: str, entry: SecretEntry) -> dict[str, Any]:
    return {"name": name, "source": source, "hosts": list(entry.hosts or ())}


def _tell(secret: Mapping[str, Any]) -> str:
    hosts = f"  for {', '.join(secret['hosts'])}" if secret["hosts"] else ""
    return f"{secret['name']:<24} {secret['source']}{hosts}"
