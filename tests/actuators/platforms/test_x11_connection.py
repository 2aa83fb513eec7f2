from contextlib import closing
from pathlib import Path

import pytest

from fixtures.machine.desktop import PrivateDesktop

pytest.importorskip("Xlib", reason="python-xlib is not installed")

from Xlib import X

from actuators.platforms.x11_connection import open_display


def test_the_library_writes_nothing_by_itself(
    desk: PrivateDesktop,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    empty = tmp_path / "keys"
    empty.touch()
    monkeypatch.setenv("XAUTHORITY", str(empty))
    with closing(open_display(desk.environ["DISPLAY"])) as display:
        gone = display.create_resource_object("window", 0x7FFFFFFF)
        gone.change_attributes(event_mask=X.PropertyChangeMask)  # an error that nobody waits for
        display.sync()
    assert tuple(capfd.readouterr()) == ("", "")
