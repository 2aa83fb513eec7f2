"""What the Windows that tests run on is."""

import ctypes
import os
import sys
import uuid
from pathlib import Path

import pytest

if sys.platform != "win32":
    raise pytest.skip.Exception("needs Windows: python3 scripts/test.py --windows", allow_module_level=True)

DOWNLOADS = "374DE290-123F-4565-9164-39C4925E467B"


def test_it_is_a_windows_with_its_own_python() -> None:
    assert (sys.platform, os.name, os.sep) == ("win32", "nt", "\\")
    assert sys.version_info[:2] == (3, 11)


def test_its_personal_folders_are_its_own() -> None:
    identifier = (ctypes.c_byte * 16).from_buffer_copy(uuid.UUID(DOWNLOADS).bytes_le)
    found = ctypes.c_wchar_p()
    assert ctypes.windll.shell32.SHGetKnownFolderPath(identifier, 0, None, ctypes.byref(found)) == 0
    assert found.value
    assert Path(found.value).is_dir()
    assert Path(found.value).drive == "C:"
    assert not Path(found.value).is_symlink()


def test_an_open_file_can_not_be_removed(tmp_path: Path) -> None:
    with (tmp_path / "open").open("w"), pytest.raises(PermissionError) as caught:
        (tmp_path / "open").unlink()
    assert caught.value.winerror == 32


def test_random_bytes_come_from_where_compiled_packages_ask_for_them() -> None:
    library = ctypes.WinDLL("bcryptprimitives.dll")  # the lane brings it where wine lacks it
    drawn = [ctypes.create_string_buffer(32) for _ in range(2)]
    for buffer in drawn:
        assert library.ProcessPrng(buffer, ctypes.c_size_t(32)) & 0xFF
    assert len({bytes(32), *(buffer.raw for buffer in drawn)}) == 3
