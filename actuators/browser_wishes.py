"""BrowserWishes: how a person wants the browser, for whoever makes the family of the browser."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from actuators.browser.ports.attached import AttachedPage
from core.addresses.platforms import SearchPlatform


@dataclass(frozen=True, slots=True)
class BrowserWishes:
    """How a person wants the browser.

    Attributes:
        executable: Browser to use; a good one is looked for where absent.
        channel: Which browser to look for, as Playwright names it; any where empty.
        inner_hosts: Hosts, written as in ``policy.hosts``, that all pages may reach although they aren't on the open
            internet.
        attached: A page of another program to act on, in place of pages of ours.
        videos_dir: Folder for videos of pages; none are made where absent.
    """

    executable: str | None = None
    channel: str = ""
    headed: bool = False
    platforms: Mapping[str, SearchPlatform] = field(default_factory=dict[str, SearchPlatform])
    inner_hosts: tuple[str, ...] = ()
    attached: AttachedPage | None = None
    videos_dir: Path | None = None


ANY_BROWSER = BrowserWishes()
