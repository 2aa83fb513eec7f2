"""PictureReader: text by rapidocr, pictures by opencv, both loaded at first use on a thread of their own."""

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from actuators.base import Availability, Environment
from actuators.desktop.ports.desktop import Picture, Rect, SeenText, order_boxes
from actuators.platforms.device_thread import DeviceThread
from core.base.errors import DeviceError, FileError, TargetError

LEAST_CONFIDENCE = 0.9
LEAST_CONTRAST = 4.0
"""Standard deviation of the colours (0 to 255) that a picture must have; a flat one is found everywhere."""
MOST_FOUND = 50


def read_needle(path: Path) -> Any:
    """Return the pixels of a picture; ``not_found``, ``wrong_type``, or ``target_unsuitable`` without contrast."""
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
    """Return upper left corners and confidences (0.9 to 1), the best first; none overlaps a better one by half."""
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


READ_S = 60.0
SMALL_PX = 480
"""Pictures whose longer side is shorter are read at twice their size."""

_NEEDED = ("rapidocr", "onnxruntime", "cv2", "numpy")
_LONGEST_PX = 960  # the longer side of what is searched for lines; they are read at full size
_THREADS = 2
T = TypeVar("T")


class PictureReader:
    """Reads pictures; nothing leaves the machine, and the models come with the packages."""

    def __init__(self, threads: int = _THREADS) -> None:
        """Load nothing yet; use so many processors at most."""
        self._threads = threads
        self._thread = DeviceThread("picture-reader")
        self._engine: Any = None

    def assess(self) -> Availability:
        """Say whether the packages are there."""
        if missing := [name for name in _NEEDED if find_spec(name) is None]:
            return Availability(
                "vision",
                available=False,
                reason=f"{', '.join(missing)} can't be imported.",
                remedy="Install the extra: pip install 'surehand[vision]'.",
            )
        return Availability("vision", available=True, reason="Reads by rapidocr, compares by opencv.")

    async def read(self, picture: Picture) -> tuple[SeenText, ...]:
        """Return the lines of text, in reading order."""
        if not (picture.width and picture.height):
            return ()
        return await self._run(lambda: self._read(picture))

    async def find_image(self, picture: Picture, path: str) -> tuple[tuple[Rect, float], ...]:
        """Return where a picture from a file is in another, with confidence, the best first."""
        return await self._run(lambda: _find_image(picture, Path(path)))

    async def close(self) -> None:
        """Let go of the models; calling it again does nothing."""
        await self._thread.close()
        self._engine = None

    async def _run(self, work: Callable[[], T]) -> T:
        try:
            return await self._thread.run(work, timeout_s=READ_S)
        except TimeoutError:
            self._engine = None  # the thread that hangs keeps the old one
            raise DeviceError(
                f"The picture could not be read within {READ_S:g} s.",
                code="not_settled",
                hint="Name a window or a region: a smaller area is read faster.",
            ) from None

    def _read(self, picture: Picture) -> tuple[SeenText, ...]:
        if self._engine is None:
            self._engine = import_module("rapidocr").RapidOCR(
                params={
                    "Global.log_level": "critical",
                    "Global.use_cls": False,  # screens show no text upside down
                    "EngineConfig.onnxruntime.intra_op_num_threads": self._threads,
                    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
                    "Det.limit_type": "max",
                    "Det.limit_side_len": _LONGEST_PX,
                }
            )
        cv2 = import_module("cv2")
        pixels = to_pixels(picture)
        factor = 2 if max(picture.width, picture.height) <= SMALL_PX else 1
        if factor > 1:
            pixels = cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC)
        found = self._engine(pixels, return_word_box=True, return_single_char_box=True)
        if found.boxes is None:
            return ()
        placed = zip(found.txts, found.boxes, found.scores, found.word_results, strict=True)
        lines = [
            SeenText(
                text,
                _place(picture, box, factor),
                float(score),
                tuple(_place(picture, letter[2], factor) for letter in letters if letter[2] is not None),
            )
            for text, box, score, letters in placed
            if text.strip()
        ]
        return tuple(lines[index] for index in order_boxes([line.bounds for line in lines]))


def make_reader(environment: Environment) -> PictureReader:
    """Return the reader; ``OMP_NUM_THREADS`` says how many processors it may use."""
    wanted = environment.variables.get("OMP_NUM_THREADS", "")
    return PictureReader(int(wanted) if wanted.isdecimal() and int(wanted) > 0 else _THREADS)


def to_pixels(picture: Picture) -> Any:
    """Return a picture as opencv has it: rows of pixels in blue, green, red."""
    numpy = import_module("numpy")
    rgb = numpy.frombuffer(picture.rgb, dtype=numpy.uint8).reshape(picture.height, picture.width, 3)
    return numpy.ascontiguousarray(rgb[:, :, ::-1])


def _find_image(picture: Picture, path: Path) -> tuple[tuple[Rect, float], ...]:
    needle = read_needle(path)
    found = find_needle(to_pixels(picture), needle, path)
    height, width = needle.shape[:2]
    corners = ((((x, y), (x + width, y + height)), confidence) for x, y, confidence in found)
    return tuple((_place(picture, box, 1), confidence) for box, confidence in corners)


def _place(picture: Picture, corners: Sequence[Sequence[float]], factor: int) -> Rect:
    scale_x = picture.bounds.width / picture.width / factor
    scale_y = picture.bounds.height / picture.height / factor
    xs, ys = [float(corner[0]) * scale_x for corner in corners], [float(corner[1]) * scale_y for corner in corners]
    left, upper = round(min(xs)), round(min(ys))
    size = max(1, round(max(xs)) - left), max(1, round(max(ys)) - upper)
    return Rect(picture.bounds.x + left, picture.bounds.y + upper, *size)
