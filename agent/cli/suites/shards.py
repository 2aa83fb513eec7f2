"""Parts of a suite for several machines: every flow is in exactly one of them, and in the same one every time."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from core.base.errors import InputError

Item = TypeVar("Item")

MOST_SHARDS = 10_000
_SHARD = re.compile(r"([0-9]{1,5})/([0-9]{1,5})")


@dataclass(frozen=True, slots=True)
class Shard:
    """One of several parts.

    Attributes:
        number: Which one, from 1.
    """

    number: int = 1
    count: int = 1

    def choose(self, items: Sequence[Item]) -> tuple[Item, ...]:
        """Return what belongs to it: the items are dealt out one by one, so that no part has two more than another.

        Args:
            items: In an order that is the same on all machines.
        """
        return tuple(items[self.number - 1 :: self.count])


def read_shard(text: str) -> Shard:
    """Return the part that ``--shard`` names.

    Args:
        text: ``2/5`` for the second of five; empty for all.

    Raises:
        InputError: If it is none.
    """
    if not text:
        return Shard()
    found = _SHARD.fullmatch(text)
    number, count = map(int, found.groups()) if found else (0, 0)
    if not 1 <= number <= count <= MOST_SHARDS:
        hint = "Write NUMBER/COUNT, such as 2/5 for the second of five parts."
        raise InputError(f'--shard "{text}" is not a part of a suite.', code="bad_usage", hint=hint)
    return Shard(number, count)
