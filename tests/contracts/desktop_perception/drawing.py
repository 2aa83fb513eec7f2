"""Pictures that are drawn for the reader."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from actuators.desktop.ports.desktop import Picture, Rect

WIDTH, HEIGHT = 240, 110


def draw_texts(places: Mapping[str, Rect], size: tuple[int, int] = (WIDTH, HEIGHT)) -> Any:
    """Return the pixels of black texts on white, each in its place."""
    cv2, numpy = import_module("cv2"), import_module("numpy")
    pixels = numpy.full((size[1], size[0], 3), 255, dtype=numpy.uint8)
    for text, place in places.items():
        corner = (place.x + 2, place.y + place.height - 8)
        cv2.putText(pixels, text, corner, cv2.FONT_HERSHEY_SIMPLEX, 0.8, (0, 0, 0), 2, cv2.LINE_AA)
    return pixels


def to_picture(pixels: Any, x: int = 0, y: int = 0) -> Picture:
    """Return pixels as a picture of a part of the screen."""
    height, width = pixels.shape[:2]
    return Picture(Rect(x, y, width, height), width, height, pixels[:, :, ::-1].tobytes())


def write_picture(path: Path, pixels: Any) -> Path:
    """Write pixels to a file."""
    import_module("cv2").imwrite(str(path), pixels)
    return path


def draw_paper(folder: Path, places: Mapping[str, Rect]) -> tuple[Picture, dict[str, Path]]:
    """Return a picture with texts, a part of it as a file, and a stranger as a file."""
    pixels = draw_texts(places)
    part = places["Sign in"]
    needle = write_picture(
        folder / "needle.png", pixels[part.y : part.y + part.height, part.x : part.x + part.width].copy()
    )
    stranger = write_picture(folder / "stranger.png", draw_texts({"QX": Rect(0, 0, 60, 30)}, (60, 30)))
    return to_picture(pixels), {"needle": needle, "stranger": stranger}
