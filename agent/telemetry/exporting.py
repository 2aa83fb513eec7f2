"""SpanExport: sends spans to an OpenTelemetry collector by OTLP over HTTP.

Imported only where a collector is named. One that is slow, silent or gone costs a run nothing, and its end a second at most.
"""

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.metadata import version

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.trace import Tracer

CLOSING_S = 0.9
"""Seconds that a collector has to take the last spans; closing promises a second in all."""

_SENDING_S = 5.0
_EVERY_MS = 2000


class SpanExport:
    """Makes spans and sends them, from a thread of its own."""

    def __init__(self, endpoint: str | None, tell: Callable[[str], None]) -> None:
        """Set it up; nothing is sent yet.

        Args:
            endpoint: Address of the collector, without ``/v1/traces``; where absent, ``OTEL_EXPORTER_OTLP_…`` say it.
            tell: Told, from another thread, that spans could not be sent.
        """
        # The library says what it can't send to a logger that, without a handler, would write to the terminal.
        logging.getLogger("opentelemetry").addHandler(logging.NullHandler())
        address = f"{endpoint.rstrip('/')}/v1/traces" if endpoint else None
        exporter = _TellingExporter(OTLPSpanExporter(address, timeout=_SENDING_S), tell)
        resource = Resource.create({"service.name": "surehand", "service.version": version("surehand")})
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(exporter, schedule_delay_millis=_EVERY_MS))
        self.tracer: Tracer = self._provider.get_tracer("surehand", version("surehand"))

    async def close(self) -> None:
        """Send what waits; give up after a second, and leave the rest to a thread that nothing waits for."""
        loop = asyncio.get_running_loop()
        sent = asyncio.Event()

        def send() -> None:
            self._provider.shutdown()
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(sent.set)

        threading.Thread(target=send, name="surehand-spans", daemon=True).start()
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSING_S):
                await sent.wait()


class _TellingExporter(SpanExporter):
    """Exports, and tells what could not be."""

    def __init__(self, exporter: SpanExporter, tell: Callable[[str], None]) -> None:
        self._exporter = exporter
        self._tell = tell

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        result = self._exporter.export(spans)
        if result is not SpanExportResult.SUCCESS:
            self._tell(f"{len(spans)} spans could not be sent to the collector.")
        return result

    def shutdown(self) -> None:
        self._exporter.shutdown()

    def force_flush(self, timeout_millis: int = 30000) -> bool:
        return self._exporter.force_flush(timeout_millis)
