"""Own ground: what Surehand keeps for itself. No goal reaches it, for reading as for writing, whoever asks.

It is the folder ``.surehand`` of any workspace, and the person's own folders: settings, tokens, keys, sockets, records.
"""

from core.addresses.path_parts import lies_inside, names_state_folder, split_path
from core.base.errors import PolicyError
from core.base.late_dataclasses import dataclass
from core.base.late_parts import compile_late
from core.base.phrases import escape_text

_NAMES = compile_late(r"[^/\\]+")


@dataclass(frozen=True, slots=True)
class OwnGround:
    """What isn't the hands' ground, by its names; where links lead, whoever knows the disk finds out.

    Attributes:
        folders: The person's own folders, absolute, as they are written and as they really lie.
        platform: ``linux``, ``darwin`` or ``win32``, for comparing paths.
    """

    folders: tuple[str, ...] = ()
    platform: str = "linux"

    def holds(self, path: str) -> bool:
        """Tell whether a path is, or lies in, what Surehand keeps for itself."""
        if any(map(names_state_folder, _NAMES.findall(path))):
            return True
        return any(lies_inside(path, folder, self.platform) for folder in self.folders)

    def list_names(self, folder: str) -> frozenset[str]:
        """Return the names that the person's own folders have in an absolute folder, as the platform compares names."""
        above = split_path(folder, self.platform)
        own = [split_path(each, self.platform) for each in self.folders]
        return frozenset(each[-1] for each in own if each[:-1] == above)

    def check(self, path: str) -> None:
        """Refuse by a PolicyError an absolute path that Surehand keeps for itself."""
        if self.holds(path):
            raise self.refuse(path)

    @staticmethod
    def refuse(path: str) -> PolicyError:
        """Return why a path can't be used."""
        is_kept = any(map(names_state_folder, _NAMES.findall(path)))
        what = "holds settings and records" if is_kept else "holds secrets and settings"
        return PolicyError(
            f"“{escape_text(path)}” {what} of Surehand; goals may not read or change them.",
            hint="Use the surehand commands for it, or do it by hand. For a picture, give a path of your own.",
            evidence={"path": path},
        )
