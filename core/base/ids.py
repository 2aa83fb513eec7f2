"""Names for runs: random, so that nobody can guess another's."""

import secrets


def make_run_id() -> str:
    """Return a new run id of 17 characters."""
    return f"r{secrets.token_hex(8)}"
