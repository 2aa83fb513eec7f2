"""Writes a Windows library that holds nothing but names of functions of another one.

Wine 8 lacks `bcryptprimitives.dll`, whose one function in use, `ProcessPrng`, gives random bytes; what Rust compiles for
Windows asks for it at its start. `advapi32.dll` has the same function under an older name.

Source: Microsoft, "PE Format": the headers, the section table, and the export directory with forwarder names.
"""

from __future__ import annotations

import struct

AMD64 = 0x8664
PE32_PLUS = 0x20B
IMAGE_BASE = 0x1_7A00_0000  # where nothing else lies; the file has no code that would have to be moved
PAGE_BYTES = 0x1000
BLOCK_BYTES = 0x200
IS_LIBRARY = 0x2022  # a DLL, executable, may lie above 2 GiB
INITIALISED_AND_READABLE = 0x4000_0040
DIRECTORIES = 16
COFF_OFFSET = 0x40
OPTIONAL_BYTES = 112 + 8 * DIRECTORIES
EXPORT_DIRECTORY = "<IIHHIIIIIII"


def make_forwarder(library: str, function: str, target: str) -> bytes:
    """Return the bytes of a library.

    Args:
        library: Its file name, such as `bcryptprimitives.dll`.
        function: The one function that it offers.
        target: Where that one is, as `LIBRARY.Function`.
    """
    exports = make_exports(library, function, target)
    headers = make_headers(len(exports))
    return headers.ljust(BLOCK_BYTES, b"\0") + exports.ljust(BLOCK_BYTES, b"\0")


def make_exports(library: str, function: str, target: str) -> bytes:
    """Return the export directory with its tables and names, to be mapped at the second page."""
    size = struct.calcsize(EXPORT_DIRECTORY)
    addresses, names, ordinals = (PAGE_BYTES + size + offset for offset in (0, 4, 8))
    texts = [text.encode("ascii") + b"\0" for text in (library, function, target)]
    places = [PAGE_BYTES + size + 10 + sum(map(len, texts[:index])) for index in range(len(texts))]
    directory = struct.pack(EXPORT_DIRECTORY, 0, 0, 0, 0, places[0], 1, 1, 1, addresses, names, ordinals)
    # An address inside the directory itself is no code: the loader reads the name of the real function there.
    return directory + struct.pack("<IIH", places[2], places[1], 0) + b"".join(texts)


def make_headers(export_bytes: int) -> bytes:
    """Return the file's headers and the table of its only section."""
    dos = b"MZ".ljust(0x3C, b"\0") + struct.pack("<I", COFF_OFFSET)
    coff = b"PE\0\0" + struct.pack("<HHIIIHH", AMD64, 1, 0, 0, 0, OPTIONAL_BYTES, IS_LIBRARY)
    sizes = struct.pack("<HBBIIIII", PE32_PLUS, 14, 0, 0, BLOCK_BYTES, 0, 0, 0)
    layout = struct.pack("<QII", IMAGE_BASE, PAGE_BYTES, BLOCK_BYTES)
    versions = struct.pack("<HHHHHHI", 6, 0, 0, 0, 6, 0, 0)
    image = struct.pack("<IIIHH", 2 * PAGE_BYTES, BLOCK_BYTES, 0, 3, 0)
    memory = struct.pack("<QQQQII", 0x10_0000, PAGE_BYTES, 0x10_0000, PAGE_BYTES, 0, DIRECTORIES)
    directories = struct.pack("<II", PAGE_BYTES, export_bytes).ljust(8 * DIRECTORIES, b"\0")
    section = struct.pack(
        "<8sIIIIIIHHI",
        b".rdata",
        export_bytes,
        PAGE_BYTES,
        BLOCK_BYTES,
        BLOCK_BYTES,
        0,
        0,
        0,
        0,
        INITIALISED_AND_READABLE,
    )
    return dos + coff + sizes + layout + versions + image + memory + directories + section
