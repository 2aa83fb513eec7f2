"""Finding a picture in a larger one by comparing pixels, at the same scale."""

from importlib import import_module
from pathlib import Path
from typing import Any

from core.base.errors import FileError, TargetError

LEAST_CONFIDENCE = 0.9
LEAST_CONTRAST = 4.0
"""Standard deviation of the colours (0 to 255) that a picture must have; a flat one is found everywhere."""
MOST_FOUND = 50


def read_needle(path: Path) -> Any:
    """Return the pixels of a picture file.

    Raises:
        FileError: ``not_found``, or ``wrong_type`` if it is not a picture.
        TargetError: ``target_unsuitable`` if it has no contrast.
    """
    cv2, numpy = import_module("cv2"), import_module("numpy")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise FileError(
            f"The picture {path} can't be read: {error.strerror}.",
            code="not_found",
            hint="Name a PNG or JPEG file.",
            evidence={"path": str(path)},
        ) from error
    pixels = cv2.imdecode(numpy.frombuffer(content, dtype=numpy.uint8), cv2.IMREAD_COLOR) if content else None
    if pixels is None:
        raise FileError(
            f"{path} is not a picture.",
            code="wrong_type",
            hint="Name a PNG or JPEG file.",
            evidence={"path": str(path)},
        )
    if max(float(pixels[:, :, channel].std()) for channel in range(3)) < LEAST_CONTRAST:
        raise TargetError(
            f"The picture {path.name} has only one colour and would match everywhere.",
            code="target_unsuitable",
            hint="Cut out something with an edge or a letter in it.",
            evidence={"path": str(path)},
        )
    return pixels


def find_needle(haystack: Any, needle: Any, path: Path) -> list[tuple[int, int, float]]:
    """Return upper left corners and confidences (0.9 to 1), the best first; none overlaps a better one by half.

    Raises:
        TargetError: ``target_unsuitable`` if the needle is larger than the searched area.
    """
    cv2, numpy = import_module("cv2"), import_module("numpy")
    height, width = needle.shape[:2]
    if height > haystack.shape[0] or width > haystack.shape[1]:
        raise TargetError(
            f"The picture {path.name} ({width} × {height}) is larger than the searched area "
            f"({haystack.shape[1]} × {haystack.shape[0]}).",
            code="target_unsuitable",
            hint="Cut it out smaller, or look in a larger part of the screen.",
            evidence={"path": str(path), "width": width, "height": height},
        )
    scores = numpy.nan_to_num(cv2.matchTemplate(haystack, needle, cv2.TM_CCOEFF_NORMED), posinf=0.0, neginf=0.0)
    found: list[tuple[int, int, float]] = []
    while len(found) < MOST_FOUND:
        _, best, _, (x, y) = cv2.minMaxLoc(scores)
        if best < LEAST_CONFIDENCE:
            break
        found.append((int(x), int(y), min(1.0, float(best))))
        reach_x, reach_y = max(1, width // 2), max(1, height // 2)
        scores[max(0, y - reach_y) : y + reach_y + 1, max(0, x - reach_x) : x + reach_x + 1] = -1.0
    return found
