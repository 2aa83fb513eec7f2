"""The conformance suite of the files port: a back end passes if its subclass of this does."""

from tests.contracts.files.archive_suite import UnzipRefusalConformance, ZipConformance
from tests.contracts.files.link_suite import LinkConformance
from tests.contracts.files.moving_suite import (
    CopyConformance,
    MoveConformance,
    PurgeConformance,
    RenameConformance,
    TrashConformance,
)
from tests.contracts.files.reading_suite import (
    FindConformance,
    LookConformance,
    OpenConformance,
    ReadConformance,
    WaitConformance,
)
from tests.contracts.files.root_suite import MissingRootConformance, PreciousConformance, SettingsConformance
from tests.contracts.files.several_suite import GlobConformance, SeveralConformance
from tests.contracts.files.writing_suite import (
    AppendConformance,
    CreateConformance,
    EditConformance,
    WriteConformance,
)


class FileConformance(
    CreateConformance,
    WriteConformance,
    AppendConformance,
    EditConformance,
    CopyConformance,
    MoveConformance,
    RenameConformance,
    TrashConformance,
    PurgeConformance,
    ReadConformance,
    LookConformance,
    FindConformance,
    WaitConformance,
    OpenConformance,
    ZipConformance,
    UnzipRefusalConformance,
    GlobConformance,
    SeveralConformance,
    LinkConformance,
    MissingRootConformance,
    SettingsConformance,
    PreciousConformance,
):
    """All of it. A subclass has a fixture ``bench`` that gives its back end on a folder of its own."""
