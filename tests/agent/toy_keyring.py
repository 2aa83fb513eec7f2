"""A keyring in memory, with the functions of the library that are used; it can be told to misbehave."""

import threading

kept: dict[tuple[str, str], str] = {}
state = {"mood": "well"}
unlocked = threading.Event()


class KeyringLockedError(Exception):
    """It is locked."""


KeyringLockedError.__name__ = "KeyringLocked"  # as the library calls it


def reset(mood: str = "well") -> None:
    kept.clear()
    state["mood"] = mood
    unlocked.clear()


def get_password(service: str, name: str) -> str | None:
    if state["mood"] == "locked":
        raise KeyringLockedError("Failed to unlock the collection!")
    if state["mood"] == "asks":
        unlocked.wait(30)
    return kept.get((service, name))


def set_password(service: str, name: str, value: str) -> None:
    get_password(service, name)
    kept[service, name] = "" if state["mood"] == "forgets" else value


def delete_password(service: str, name: str) -> None:
    del kept[service, name]
