"""The clipboard of Linux: xclip in an X11 session, wl-clipboard in a Wayland session."""

from actuators.base import Availability, Environment
from actuators.clipboard.command_clipboard import ClipboardCommand, CommandClipboard
from actuators.platforms.x11_displays import assess_display

_X11 = ClipboardCommand(
    read=("xclip", "-selection", "clipboard", "-target", "UTF8_STRING", "-out"),
    types=("xclip", "-selection", "clipboard", "-target", "TARGETS", "-out"),
    write=("xclip", "-selection", "clipboard", "-in"),
    read_picture=("xclip", "-selection", "clipboard", "-target", "image/png", "-out"),
    write_picture=("xclip", "-selection", "clipboard", "-target", "image/png", "-in"),
    package="xclip",
)
_WAYLAND = ClipboardCommand(
    read=("wl-paste", "--no-newline", "--type", "text/plain;charset=utf-8"),
    types=("wl-paste", "--list-types"),
    write=("wl-copy", "--type", "text/plain;charset=utf-8"),
    read_picture=("wl-paste", "--no-newline", "--type", "image/png"),
    write_picture=("wl-copy", "--type", "image/png"),
    package="wl-clipboard",
)


def make_clipboard(environment: Environment) -> CommandClipboard:
    """Return the clipboard of a session."""
    if environment.variables.get("WAYLAND_DISPLAY"):
        reason = f"Wayland on {environment.variables['WAYLAND_DISPLAY']}"
        found = Availability("clipboard", available=True, reason=reason)
        return CommandClipboard(environment, _WAYLAND, lambda: found)
    return CommandClipboard(environment, _X11, lambda: assess_display(environment, "clipboard"))
