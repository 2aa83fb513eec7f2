"""Parts of the system tools on Windows that only PowerShell reaches. Not tried on a real Windows yet.

The scripts are fixed; texts reach them as environment variables, so that none becomes code.
"""

from collections.abc import Mapping

from actuators.base import Availability
from actuators.system.ports.devices import Shown, Urgency
from actuators.system.processes.commands import SystemCommand
from core.base.errors import ActionError, DeviceError

POWERSHELL = ("powershell.exe", "-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-Command")

_TOAST = """
$ErrorActionPreference = 'Stop'
[void][Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]
$kind = [Windows.UI.Notifications.ToastTemplateType]::ToastText02
$xml = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent($kind)
$texts = $xml.GetElementsByTagName('text')
[void]$texts.Item(0).AppendChild($xml.CreateTextNode($env:SUREHAND_TITLE))
[void]$texts.Item(1).AppendChild($xml.CreateTextNode($env:SUREHAND_MESSAGE))
$toast = New-Object Windows.UI.Notifications.ToastNotification $xml
$app = '{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe'
[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier($app).Show($toast)
"""
_READ = "(Get-CimInstance -Namespace root/WMI -ClassName WmiMonitorBrightness -ErrorAction Stop).CurrentBrightness"
_WRITE = """
$ErrorActionPreference = 'Stop'
Get-CimInstance -Namespace root/WMI -ClassName WmiMonitorBrightnessMethods |
  Invoke-CimMethod -MethodName WmiSetBrightness -Arguments @{ Timeout = 1; Brightness = [byte]$env:SUREHAND_LEVEL }
"""


class WindowsNotifier:
    """Shows toasts."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._script = SystemCommand((*POWERSHELL, _TOAST), variables)

    def assess(self) -> Availability:
        """Say that they are there."""
        return Availability("notifications", available=True, reason="toasts, by PowerShell")

    async def notify(self, title: str, message: str, urgency: Urgency) -> Shown:
        """Show a toast; Windows gives it no number, so nothing is claimed."""
        await self._script.call(more={"SUREHAND_TITLE": title, "SUREHAND_MESSAGE": message})
        return Shown(0, "Windows", {"urgency": urgency})


class WindowsBrightness:
    """The brightness of a built-in screen, by WMI."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._reader = SystemCommand((*POWERSHELL, _READ), variables)
        self._writer = SystemCommand((*POWERSHELL, _WRITE), variables)

    def assess(self) -> Availability:
        """Say that it is tried; only the act shows whether the screen takes it."""
        return Availability("brightness", available=True, reason="WMI, for built-in screens")

    async def read(self) -> float:
        """Return the brightness."""
        try:
            return float((await self._reader.call()).split()[0])
        except (ActionError, ValueError, IndexError) as error:
            raise DeviceError(
                "No screen reports its brightness.", code="device_missing", hint="Set it on the screen itself."
            ) from error

    async def write(self, level_percent: float) -> None:
        """Set the brightness."""
        await self._writer.call(more={"SUREHAND_LEVEL": f"{level_percent:.0f}"})
