"""The pictures and prints of the fake browser: real files, small ones, of one colour."""

import struct
import zlib

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_GREY = 8, 0, 0, 0, 0  # bit depth, greyscale, and the only compression, filter and no interlacing
PDF = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
)


def draw_png(width_px: int, height_px: int) -> bytes:
    """Return a white PNG.

    Args:
        width_px: Its width, at least 1.
        height_px: Its height, at least 1.
    """
    rows = (b"\x00" + b"\xff" * width_px) * height_px
    header = struct.pack(">IIBBBBB", width_px, height_px, *_GREY)
    return _SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
