"""PlannerSettingsFiles: settings of planners, a JSON file for each principal, among the person's own settings.

They lie beside ``settings.toml``, outside of every workspace: a folder may come from anybody, and these may allow a planner more.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agent.planners.planner_settings import PrincipalSettings, list_template_needs, read_principal
from agent.planners.templates.template_files import TemplateFiles
from agent.settings.folder_checks import check_folder, name_file
from agent.store.private_files import make_private_folder, write_whole
from core.base.errors import InputError
from core.planning.planners.metadata import PlannerMetadata

_LARGEST = 1 << 20


class PlannerSettingsFiles:
    """The files of all principals. All calls block."""

    def __init__(self, folder: Path, metadata: Sequence[PlannerMetadata], templates: TemplateFiles) -> None:
        """Read nothing yet.

        Args:
            templates: Every template; those that settings name are held to be there from then on.
        """
        self._folder = folder
        self._metadata = metadata
        self._templates = templates

    def locate(self, principal: str) -> Path:
        """Return where a principal's settings are; the file need not exist."""
        return self._folder / f"planners.{name_file(principal)}.json"

    def read(self, principal: str) -> PrincipalSettings:
        """Return what holds for a principal: the defaults, with what their file says in their place.

        Raises:
            InputError: ``bad_settings`` if the file isn't JSON, or a name or value in it is wrong; names the file and each place.
            RefusedError: ``unsafe_folder`` if others may change the file.
        """
        path = self.locate(principal)
        check_folder(path)
        try:
            if path.stat().st_size > _LARGEST:
                raise _refuse(path, ["it is larger than 1 MiB"])
            text = path.read_text("utf-8")
        except FileNotFoundError:
            return self._check(path, {})
        except (OSError, UnicodeDecodeError) as error:
            raise _refuse(path, [f"it can't be read ({type(error).__name__})"]) from None
        return self._check(path, _parse(path, text))

    def write(self, principal: str, data: Mapping[str, Any]) -> None:
        """Set what holds for a principal, in place of what their file said; for the person's eyes only.

        Raises:
            InputError: ``bad_settings`` if it is wrong; nothing is written then.
            OSError: If it can't be written.
        """
        path = self.locate(principal)
        self._check(path, data)
        make_private_folder(self._folder)
        write_whole(path, json.dumps(data, indent=2, allow_nan=False).encode() + b"\n")

    def _check(self, path: Path, data: Mapping[str, Any]) -> PrincipalSettings:
        settings, faults = read_principal(data, self._metadata)
        if faults := faults or self._templates.require(list_template_needs(settings)):
            raise _refuse(path, faults)
        return settings


def _parse(path: Path, text: str) -> Mapping[str, Any]:
    try:
        data = json.loads(text, object_pairs_hook=_take_pairs, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise _refuse(path, [f"line {error.lineno}, column {error.colno}: {error.msg}"]) from None
    except (ValueError, RecursionError) as error:
        raise _refuse(path, [str(error)]) from None
    if not isinstance(data, Mapping):
        raise _refuse(path, ["it is not an object"])
    return data


def _take_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    taken = dict(pairs)
    if len(taken) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"“{next(name for name in names if names.count(name) > 1)}” is set twice")
    return taken


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number of JSON")


def _refuse(path: Path, faults: list[str]) -> InputError:
    return InputError(f"{path} can't be used: {'; '.join(faults)}.", code="bad_settings", evidence={"path": str(path)})
