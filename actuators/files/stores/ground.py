"""The hands' ground: folders in which what Surehand keeps for itself isn't there, whoever walks, lists or matches."""

from actuators.files.ports import FilePlace, FileState, Folder, Held, OpenFile
from actuators.own_folders import Identity, identify, name_own
from core.addresses.own_ground import OwnGround
from core.addresses.path_parts import fold_parts, names_state_folder


class GroundFolder(Held):
    """A folder of the hands' ground, held open: its path without links, and the person's own names in it as the platform compares."""

    def __init__(self, bare: Folder, own: OwnGround, identities: frozenset[Identity] | None = None) -> None:
        """Stand before a folder, with the person's own folders where the way to it was looked at; refuse by a PolicyError what isn't ground."""
        self.path = bare.path
        self.bare = bare
        self.own = own
        self.own_names = own.list_names(bare.path) if own.folders else frozenset[str]()
        if identities is None:
            own.check(name_own(bare.path, own.folders))
        elif identities and identify(bare.path) in identities:
            raise own.refuse(bare.path)
        known = map(identify, own.folders) if identities is None else identities
        self._identities = frozenset(each for each in known if each)

    def names(self) -> list[str]:
        """Return the names of all entries that are on the ground, sorted."""
        return [name for name in self.bare.names() if not _is_own(self, name)]

    def state(self, name: str = "") -> FileState:
        """Return what is known of an entry, or of the folder itself."""
        return self.bare.state(_admit(self, name))

    def open(self, name: str) -> OpenFile:
        """Open a file for reading."""
        return self.bare.open(_admit(self, name))

    def create(self, name: str, *, private: bool = False) -> OpenFile:
        """Make a file that isn't there."""
        return self.bare.create(_admit(self, name), private=private)

    def descend(self, name: str) -> Folder:
        """Open a folder in this one."""
        below = self.bare.descend(_admit(self, name))
        try:
            return GroundFolder(below, self.own, self._identities)
        except BaseException:
            below.close()
            raise

    def make(self, name: str, *, private: bool = False) -> None:
        """Make a folder that isn't there."""
        self.bare.make(_admit(self, name), private=private)

    def rename(self, name: str, into: Folder, new_name: str, *, replace: bool) -> None:
        """Move an entry, at once and as a whole."""
        goal = _admit(into, new_name) if isinstance(into, GroundFolder) else new_name
        self.bare.rename(_admit(self, name), FilePlace(into, new_name).bare.folder, goal, replace=replace)

    def remove(self, name: str) -> None:
        """Remove a file or link."""
        self.bare.remove(_admit(self, name))

    def remove_folder(self, name: str) -> None:
        """Remove an empty folder."""
        self.bare.remove_folder(_admit(self, name))

    def read_link(self, name: str) -> str:
        """Return what a link points to."""
        return self.bare.read_link(_admit(self, name))

    def make_link(self, name: str, target: str) -> None:
        """Make a link that isn't there."""
        self.bare.make_link(_admit(self, name), target)

    def adopt(self, name: str, like: FileState) -> None:
        """Give a folder the mode, owner and time of another."""
        self.bare.adopt(_admit(self, name), like)

    def sync(self) -> None:
        """Return once its entries would outlive a loss of power."""
        self.bare.sync()

    def close(self) -> None:
        """Let go of it; calling it again does nothing."""
        self.bare.close()


def list_own_names(folder: Folder) -> list[str]:
    """Return the names of the entries of a folder that aren't on the ground, sorted."""
    return [name for name in folder.bare.names() if _is_own(folder, name)] if isinstance(folder, GroundFolder) else []


def _is_own(folder: GroundFolder, name: str) -> bool:
    if names_state_folder(name):
        return True
    return bool(folder.own_names) and fold_parts([name], folder.own.platform)[0] in folder.own_names


def _admit(folder: GroundFolder, name: str) -> str:
    """Return a name that is on the ground."""
    if _is_own(folder, name):
        raise folder.own.refuse(f"{folder.path.rstrip('/')}/{name}")
    return name
