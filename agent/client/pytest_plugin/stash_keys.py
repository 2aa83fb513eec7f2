"""Where pytest's items keep what is ours; apart from the rest, so that tests without a hand load nothing else."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .case_records import CaseRecord

RECORD: "pytest.StashKey[CaseRecord]" = pytest.StashKey()
"""What a test did with its hands."""
