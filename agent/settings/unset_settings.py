"""Settings where nothing is set, which is known without what reads them."""

import os
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from actuators.child_environments import read_secrets
from actuators.own_folders import locate_config_folder
from agent.settings.folder_checks import check_folder
from agent.settings.surroundings import PREFIX, SETTINGS_FILE
from core.addresses.path_parts import STATE_FOLDER

if TYPE_CHECKING:
    from agent.settings.settings import Settings

_READING = "agent.settings.settings"
USUAL: Mapping[str, Any] = {
    "browser_channel": "",
    "browser_path": None,
    "failure_pictures": True,
    "headed": False,
    "inner_hosts": (),
    "keep_pictures": False,
    "language": "en",
    "model_fields_set": frozenset[str](),
    "platforms": {},
    "rules": (),
    "templates_folder": None,
    "trace": "off",
}
"""What holds of that which planning asks for, where nothing is set; a test holds it to ``Settings``."""


class _UnsetSettings:
    """Stands for the settings where nothing is set; what isn't usual to be asked for is asked of them."""

    def __getattr__(self, name: str) -> Any:
        if name in USUAL:
            return USUAL[name]
        return getattr(import_module(_READING).Settings.model_construct(), name)


def find_settings(workspace: Path) -> "Settings":
    """Return the settings that hold for a workspace; where nothing is set, what reads them isn't imported.

    Raises:
        InputError: If the file or a variable can't be understood.
        RefusedError: If the folder isn't what Surehand makes.
    """
    file = workspace / STATE_FOLDER / SETTINGS_FILE
    check_folder(file.parent)
    is_named = any(name.upper().startswith(PREFIX) for name in os.environ.keys() - read_secrets().keys())
    if not is_named and _is_absent(file) and _is_absent(locate_config_folder() / SETTINGS_FILE):
        return cast("Settings", _UnsetSettings())
    return import_module(_READING).load_settings(workspace)


def _is_absent(file: Path) -> bool:
    """Tell whether it is known that there is no such file; one that can't be looked at may say something."""
    try:
        file.lstat()
    except OSError as error:
        return isinstance(error, FileNotFoundError)
    return False
