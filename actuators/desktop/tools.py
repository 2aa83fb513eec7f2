"""What the desktop family publishes: its toolsets, in the order in which they are listed."""

from actuators.desktop.input_tools import ElementTools, InputTools
from actuators.desktop.screen_tools import ScreenTools
from actuators.desktop.toolset import DesktopToolset
from actuators.desktop.window_tools import WindowTools

DESKTOP_TOOLSETS: tuple[type[DesktopToolset], ...] = (InputTools, ElementTools, WindowTools, ScreenTools)
