"""What libraries complain of, such as a future that nobody has asked what became of it: for the log, and never for the terminal."""

import logging
from collections.abc import Callable

_LOGGERS = ("asyncio", "playwright")
_EVENT = "library.complained"
_NOBODY = logging.NullHandler()


def keep_off_terminal() -> None:
    """Have nothing of it written to stderr, which Python does for a logger without a handler."""
    for name in _LOGGERS:
        logging.getLogger(name).addHandler(_NOBODY)


def hear_libraries(note: Callable[[str, str], None]) -> Callable[[], None]:
    """Pass on what libraries complain of; return what ends that."""
    handler = _ComplaintHandler(note)
    for name in _LOGGERS:
        logging.getLogger(name).addHandler(handler)

    def end() -> None:
        for name in _LOGGERS:
            logging.getLogger(name).removeHandler(handler)

    return end


class _ComplaintHandler(logging.Handler):
    def __init__(self, note: Callable[[str, str], None]) -> None:
        super().__init__(logging.WARNING)
        self._note = note

    def emit(self, record: logging.LogRecord) -> None:
        self._note(_EVENT, f"{record.name}: {self.format(record)}")
