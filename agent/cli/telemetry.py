"""Sets up what the settings ask for of logs and spans. Libraries for them are imported here, and only if they are used."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from agent.settings.folder_checks import locate_state
from agent.settings.settings import Settings, wants_spans
from agent.settings.surroundings import read_trace_context
from agent.telemetry.log_levels import LOG_FILE
from agent.telemetry.observing import NO_TELEMETRY, SessionTelemetry, Telemetry
from core.base.errors import UnsupportedError

if TYPE_CHECKING:
    from agent.telemetry.logs import LogBook


def open_telemetry(settings: Settings, workspace: Path, principal: str = "") -> Telemetry:
    """Return who is told of runs; no file is made and nothing is sent before there is something to tell.

    Args:
        principal: Whose runs; those of others than the person at this machine have logs of their own.
    """
    spans = wants_spans(settings)
    if settings.log_file == "off" and settings.log_level == "off" and not spans:
        return NO_TELEMETRY
    book, close = open_book(settings, workspace, principal)
    closers: list[Callable[[], Awaitable[object]]] = [close]
    if not spans:
        return SessionTelemetry(book=book, carrier=read_trace_context(), closers=closers)
    return _add_spans(settings, book, closers)


def open_book(
    settings: Settings, workspace: Path, principal: str = ""
) -> tuple["LogBook", Callable[[], Awaitable[object]]]:
    """Return what writes log lines, and what ends it; no file is made before there is a line.

    Args:
        principal: Whose runs; those of others than the person at this machine have logs of their own.
    """
    from agent.cli.screen.output import write_error_text
    from agent.telemetry.library_faults import hear_libraries
    from agent.telemetry.log_files import LogFile
    from agent.telemetry.logs import LogBook, Outlets

    file = LogFile(locate_state(workspace, principal) / LOG_FILE)
    book = LogBook(
        Outlets([(settings.log_file, file.write), (settings.log_level, lambda line: write_error_text(f"{line}\n"))])
    )
    end = (
        (lambda: None) if principal else hear_libraries(book.note_fault)
    )  # nobody's runs, so they are the owner's to see

    def close() -> Awaitable[object]:
        end()
        return asyncio.to_thread(file.close)

    return book, close


def _add_spans(settings: Settings, book: "LogBook", closers: list[Callable[[], Awaitable[object]]]) -> Telemetry:
    try:
        from agent.telemetry.exporting import SpanExport
    except ModuleNotFoundError as error:
        raise UnsupportedError(
            f"Spans can't be sent: {error.name} is not installed.",
            hint="Install surehand[telemetry], or unset otlp_endpoint.",
        ) from None
    from agent.telemetry.spans import PlannerSpans, RunSpans, read_parent

    export = SpanExport(settings.otlp_endpoint, lambda text: book.note_fault("spans.dropped", text))
    carrier = read_trace_context()
    parent = read_parent(carrier)

    return SessionTelemetry(
        book=book,
        carrier=carrier,
        begin_spans=lambda scope: RunSpans(export.tracer, scope, parent),
        begin_planner_spans=lambda: PlannerSpans(export.tracer, parent),
        closers=[*closers, export.close],
    )
