"""TemplateFiles: the templates that ship, and a person's own, which are read again when their files change.

A person's folder is named by their settings alone, and says words alone: what a planner may do stands in the table of verbs,
whatever a prompt says. The files are looked at when a template is used, so that nothing runs in between. New ones replace
the old ones all together, once all of them fit; until then the old ones hold, and that is said once.
"""

from collections.abc import Iterable, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from agent.planners.templates.template_sets import (
    FoundTemplate,
    PromptError,
    TemplateNeed,
    TemplateSet,
    find_doubles,
    list_needs,
    read_prompts,
    replace_templates,
)
from core.base.errors import InputError, TableError
from core.planning.planners.metadata import PlannerMetadata
from core.planning.planners.ports import PromptTemplate, Templates


class StepTemplates:
    """A repository in which some templates stand in place of others."""

    def __init__(self, templates: Templates, chosen: Mapping[str, str]) -> None:
        self._templates = templates
        self._chosen = chosen

    def read_template(self, template_id: str) -> PromptTemplate:
        """Return a template."""
        return self._templates.read_template(self._chosen.get(template_id, template_id))


PROMPTS_FOLDER = "prompts"
_LARGEST = 1 << 20


class BeingWrittenError(PromptError):
    """Files that change while they are read: what was read of them may be half of one text and half of another."""


class TemplateFiles:
    """A repository of templates in files."""

    def __init__(self, outside: Path | None = None, *, shipped: Traversable | None = None) -> None:
        """Read the shipped templates; a TableError names all faults of one that is malformed."""
        self._outside = outside
        self._shipped = load_shipped(shipped)
        self._current = self._shipped
        self._needs: list[TemplateNeed] = []
        self._texts: Mapping[str, str] | None = None
        self._said = ""
        self._notes: list[str] = []

    def check(self, metadata: Iterable[PlannerMetadata]) -> None:
        """Hold the templates to what planners need of them, now and whenever they are read again.

        Raises:
            TableError: If one is missing, or has placeholders that its planner doesn't give; all faults are named.
            InputError: ``bad_templates`` if the person's own can't be used.
        """
        self._needs = [need for each in metadata for need in list_needs(each)]
        if faults := self._shipped.find_faults(self._needs):
            raise TableError(f"Planners and templates disagree: {'; '.join(faults)}.")
        try:
            self._load_outside()
        except OSError as error:
            raise self._refuse([f"{self._outside} can't be read: {error.strerror}"]) from None
        except PromptError as fault:
            raise self._refuse(list(fault.args)) from None

    def require(self, needs: Iterable[TemplateNeed]) -> list[str]:
        """Hold the templates to more, such as what a person's settings name; return what is wrong with that, and ask no more then."""
        wanted = list(needs)
        self._refresh()
        faults = self._current.find_faults(wanted)
        if not faults:
            self._needs += [need for need in wanted if need not in self._needs]
        return faults

    def read_template(self, template_id: str) -> PromptTemplate:
        """Return a template, as it is now.

        Args:
            template_id: Its id; ``explore.propose@2`` for one version of it, the highest counts otherwise.
        """
        self._refresh()
        return self._current.read(template_id)

    def list_shipped(self) -> tuple[PromptTemplate, ...]:
        """Return the templates that ship, by id and version."""
        return tuple(self._shipped)

    def take_notes(self) -> tuple[str, ...]:
        """Return what the person should know, once."""
        notes, self._notes = tuple(self._notes), []
        return notes

    def _refresh(self) -> None:
        try:
            self._load_outside()
        except OSError as error:
            self._texts = None
            self._say(f"{self._outside} can't be read: {error.strerror}")
        except BeingWrittenError:
            self._texts = None  # nothing is wrong with them: they are looked at again when the next one is used
        except PromptError as fault:
            self._say("; ".join(fault.args))

    def _load_outside(self) -> None:
        if self._outside is None or (texts := _read_texts(self._outside)) == self._texts:
            return
        if texts != _read_texts(self._outside):
            raise _tell_being_written(self._outside)
        self._texts = texts
        templates, faults = replace_templates(self._shipped, _parse_all(texts))
        faults += templates.find_faults(self._needs)
        if faults:
            raise PromptError(*faults)
        self._current, self._said = templates, ""

    def _say(self, fault: str) -> None:
        if fault != self._said:
            self._said = fault
            self._notes.append(f"Your changed templates are not used: {fault}. The earlier ones stay in use.")

    def _refuse(self, faults: list[str]) -> InputError:
        return InputError(
            f"Your templates can't be used: {'; '.join(faults)}.",
            code="bad_templates",
            hint=f"Correct the files in {self._outside}, or leave out templates_folder in your settings.",
        )


def load_shipped(folder: Traversable | None = None) -> TemplateSet:
    """Return the templates that ship.

    Raises:
        TableError: If one is malformed or there twice; all faults are named.
    """
    folder = folder or files("agent.planners").joinpath(PROMPTS_FOLDER)
    texts = {each.name: each.read_text("utf-8") for each in folder.iterdir() if each.name.endswith(".toml")}
    try:
        found = _parse_all(texts)
        if faults := find_doubles(found):
            raise PromptError(*faults)
    except PromptError as fault:
        raise TableError(f"Prompts are malformed: {'; '.join(fault.args)}.") from None
    return TemplateSet(each.template for each in found)


def _parse_all(texts: Mapping[str, str]) -> list[FoundTemplate]:
    found: list[FoundTemplate] = []
    faults: list[str] = []
    for file in sorted(texts):
        try:
            found += read_prompts(texts[file], file)
        except PromptError as fault:
            faults.append(str(fault))
    if faults:
        raise PromptError(*faults)
    return found


def _read_texts(folder: Path) -> dict[str, str]:
    found = sorted(path for path in folder.iterdir() if path.suffix == ".toml")
    try:
        if sum(path.stat().st_size for path in found) > _LARGEST:
            raise PromptError(f"{folder}: its templates are larger than 1 MiB")
        return {str(path): path.read_text("utf-8") for path in found}
    except FileNotFoundError:
        raise _tell_being_written(folder) from None
    except UnicodeDecodeError as error:
        raise PromptError(f"{folder}: a template is not UTF-8: {error.reason}") from None


def _tell_being_written(folder: Path) -> BeingWrittenError:
    return BeingWrittenError(f"{folder}: its files are being written; try again")
