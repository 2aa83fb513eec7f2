"""Vaults for tests: the real one, over values that a test gives."""

from pathlib import Path

from agent.secrets.keyring_secrets import KeyringSecrets
from agent.secrets.secret_file import SecretFile
from agent.secrets.vaults import SecretSources, SessionVault


def make_vault(**values: str) -> SessionVault:
    """Return a vault that knows these secrets and no others."""
    return SessionVault(SecretSources(values, KeyringSecrets(), SecretFile(Path("no such folder") / "secrets.toml")))
