"""Makes the tools of the desktop over one in memory."""

from actuators.base import Environment
from actuators.desktop.fake.parts import make_fake_parts
from actuators.desktop.fake.state import FakeDesktop
from actuators.desktop.tools.back_end import DesktopBackEnd


def make_fake_back_end(desktop: FakeDesktop, environment: Environment | None = None) -> DesktopBackEnd:
    """Return the tools over a desktop in memory; files go to the current folder where no environment says otherwise."""
    return DesktopBackEnd(make_fake_parts(desktop, environment or Environment(platform="linux")))
