"""What the catalogue loads on Windows."""

import os
import sys
from pathlib import Path

import pytest

from actuators.base import Environment
from actuators.catalog import list_machine_families

if sys.platform != "win32":
    raise pytest.skip.Exception("needs Windows: python3 scripts/test.py --windows", allow_module_level=True)


@pytest.mark.parametrize("capability", ["files", "input", "windows", "screen", "audio"])
async def test_a_family_is_loaded_on_windows(capability: str, tmp_path: Path) -> None:
    environment = Environment(platform="win32", variables=dict(os.environ), workspace=tmp_path, state_dir=tmp_path)
    (family,) = (each for each in list_machine_families(environment) if capability in each.capabilities)
    assert family.assess(capability).capability == capability
    for toolset in family.toolsets:
        assert isinstance(await family.provide(toolset), toolset)
    await family.close()
