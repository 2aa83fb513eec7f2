"""ModelWish: which model is wanted; apart from what opens one, so that asking for none costs nothing."""

from pathlib import Path

from core.base.late_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelWish:
    """Which model is wanted."""

    name: str = ""
    replay: Path | None = None
    record: Path | None = None

    def __bool__(self) -> bool:
        return bool(self.name or self.replay)


NO_MODEL = ModelWish()
