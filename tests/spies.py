"""Looking for a secret in whatever was written or told, in every encoding that a secret is likely to be found in."""

import base64
import html
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, quote_plus


def list_encodings(secret: str) -> list[bytes]:
    """Return the bytes that would give a secret away."""
    raw = secret.encode()
    texts = [secret, json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1], repr(secret)[1:-1]]
    texts += [
        html.escape(secret),
        html.escape(secret, quote=False),
        quote(secret, safe=""),
        quote(secret),
        quote_plus(secret),
    ]
    texts += [
        quote(quote(secret, safe=""), safe=""),
        json.dumps(json.dumps(secret)[1:-1])[1:-1],
        raw.hex(),
        raw.hex().upper(),
    ]
    found = [text.encode() for text in texts] + [secret.encode("utf-16-le"), secret.encode("utf-16-be")]
    for offset in range(3):
        first, last = -(-offset * 8 // 6), (offset + len(raw)) * 8 // 6
        core = base64.b64encode(bytes(offset) + raw)[first:last]
        found += [core, core.replace(b"+", b"-").replace(b"/", b"_")]
    return [each for each in dict.fromkeys(found) if len(each) >= 4]


def find_leaks(secret: str, content: bytes) -> list[bytes]:
    """Return the encodings of a secret that a content holds."""
    return [each for each in list_encodings(secret) if each in content]


def read_everything(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield every file below a folder, those in zip files too, with its name."""
    for file in sorted(folder.rglob("*")):
        if not file.is_file():
            continue
        yield str(file), str(file).encode() + b"\n" + file.read_bytes()
        if zipfile.is_zipfile(file):
            with zipfile.ZipFile(file) as packed:
                for name in packed.namelist():
                    yield f"{file}/{name}", name.encode() + b"\n" + packed.read(name)
