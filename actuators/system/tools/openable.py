"""What may be handed to the desktop to be opened: documents and addresses, no programs."""

from pathlib import Path

from actuators.seat.program_signs import STARTS_WITHIN, find_content_sign, find_ending_sign, find_mode_sign
from core.addresses.urls import judge_address
from core.base.errors import FileError, InputError, PolicyError
from core.policy.policy import Policy

WEB_PREFIXES = ("http://", "https://")


def is_address(target: str) -> bool:
    """Tell whether a target is an address rather than a path."""
    return target.casefold().startswith(WEB_PREFIXES)


def judge_target(target: str, policy: Policy, workspace: Path) -> str:
    """Return what may be opened: the address as it is, or the absolute path of the file behind all links.

    Raises:
        InputError: If the address can't be read.
        PolicyError: If policy forbids it, or it is a program or a script.
        FileError: ``not_found``.
    """
    if is_address(target):
        policy.check_address(judge_address(target))
        return target
    if "\0" in target:
        raise InputError("A path can't contain a null character.", code="bad_path", hint="Check its spelling.")
    named = workspace / target
    if not named.exists():
        raise FileError(
            f"{named} does not exist.", code="not_found", hint="Check the path.", evidence={"path": str(named)}
        )
    path = named.resolve()
    if policy.roots is not None and not any(path.is_relative_to(Path(root).resolve()) for root in policy.roots):
        raise PolicyError(
            f"{path} is outside the folders that this run may use.",
            hint="Add its folder to policy.roots if you want to allow it.",
            evidence={"path": str(path), "allowed": list(policy.roots)},
        )
    for each in (named, path):
        _refuse_program(each)
    return str(path)


def _refuse_program(path: Path) -> None:
    reason = _find_program_sign(path)
    if reason:
        raise PolicyError(
            f"{path.name} was not opened: {reason}, and opening it could run it.",
            code="program_refused",
            hint="Use launch if you mean to run it.",
            evidence={"path": str(path), "reason": reason},
        )


def _find_program_sign(path: Path) -> str:
    """Return why a file counts as a program; empty if it doesn't."""
    if by_name := find_ending_sign(path.name):
        return by_name
    if not path.is_file():
        return "" if path.is_dir() else "it is not an ordinary file"
    if by_mode := find_mode_sign(path.stat().st_mode):
        return by_mode
    with path.open("rb") as file:
        return find_content_sign(file.read(STARTS_WITHIN))
