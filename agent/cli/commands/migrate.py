"""`surehand migrate`: what is kept, brought to the present version."""

from pathlib import Path
from typing import Annotated

from agent.assembly import list_families, make_registry
from agent.cli.asking import locate_kept
from agent.cli.declaring import command, make_group
from agent.cli.exits import STEP_FAILED, SUCCEEDED
from agent.cli.options import HERE, KEPT, AsJson, Option, Workspace
from agent.cli.screen.output import show
from agent.planners.backlog.migrating import BacklogMigrator
from agent.planners.drift.shape_file import ShapeFile, Shapes
from agent.planners.host import describe_program
from agent.planners.templates.template_files import load_shipped
from agent.settings.folder_checks import list_states
from agent.settings.settings import Settings
from agent.store.documents import MigratedFile
from agent.store.migrating import Migrator
from core.results.records import to_data

app = make_group()


@command(app, "migrate", "surehand migrate --dry-run", panel=KEPT)
def migrate(
    dry_run: Annotated[bool, Option("--dry-run", "Only say what would be done.")] = False,
    adopt: Annotated[
        bool, Option("--adopt", "Vouch that the files here are yours, though nothing proves it; they can act again.")
    ] = False,
    as_json: AsJson = False,
    workspace: Workspace = HERE,
) -> int:
    """Update the files of an older version; the old ones are saved."""
    locate_kept(workspace)
    found = [each for state in list_states(workspace) for each in _migrate_all(state, dry=dry_run, adopt=adopt)]
    show(to_data(found), list(map(_describe_file, found)) or ["Everything is up to date."], as_json=as_json)
    return STEP_FAILED if any(each.fault for each in found) else SUCCEEDED


def _migrate_all(folder: Path, *, dry: bool, adopt: bool) -> list[MigratedFile]:
    """Migrate what runs left and what planners keep; what that relies on comes last, so that it is only taken up with the rest."""
    from agent.planners.backlog.database import BacklogFiles

    found = Migrator(folder).migrate(dry=dry, adopt=adopt)
    found += BacklogMigrator(BacklogFiles(folder)).migrate(dry=dry, adopt=adopt)
    shapes = ShapeFile(folder)
    if shapes.path.exists() and not any(each.fault for each in found):
        found += shapes.migrate(_describe_shapes(), dry=dry, adopt=adopt)
    return found


def _describe_shapes() -> Shapes:
    registry = make_registry(list_families(Settings.model_construct(), Path()))
    return describe_program(registry.specs(), load_shipped())


def _describe_file(file: MigratedFile) -> str:
    if file.fault:
        return f"{file.path}: left unchanged. {file.fault}"
    done = f"; old file: {file.backup}" if file.backup else " (not done: dry run)"
    changed = "; ".join(file.changes) or f"version {file.before} → {file.after}"
    came = "now yours" if file.is_adopted else changed
    return f"{file.path}: {came}{done}"
