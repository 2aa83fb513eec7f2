"""What the desktop family publishes: its toolsets, in the order in which they are listed."""

from actuators.desktop.api.input_tools import ElementTools, InputTools
from actuators.desktop.api.screen_tools import ScreenTools
from actuators.desktop.api.toolset import DesktopToolset
from actuators.desktop.api.window_tools import WindowTools

DESKTOP_TOOLSETS: tuple[type[DesktopToolset], ...] = (InputTools, ElementTools, WindowTools, ScreenTools)
