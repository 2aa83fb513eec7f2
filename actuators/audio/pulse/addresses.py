"""Where the sound server listens, and whether anything does.

Source: pulseaudio(1), pulse-client.conf(5), "Server Strings" in PulseAudio's documentation.
"""

import os
import re
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path

CONNECT_LIMIT_S = 0.3
TCP_PORT = 4713
SOCKET_NAME = "native"
_OTHER_MACHINE = re.compile(r"^\{[^}]*\}")  # an entry that holds for one machine begins with its id
_TCP = re.compile(r"^(?:tcp[46]?:)?(?P<host>\[[^\]]+\]|[^:/]+)(?::(?P<port>\d+))?$")


def find_address(variables: Mapping[str, str]) -> str:
    """Return the server's address, as ``PULSE_SERVER`` writes it: what is declared, or where one would be."""
    if declared := variables.get("PULSE_SERVER", "").strip():
        return declared
    sockets = list(_list_sockets(variables))
    found = next((path for path in sockets if path.exists()), sockets[0])
    return f"unix:{found}"


def answers(address: str, limit_s: float = CONNECT_LIMIT_S) -> bool:
    """Tell whether something accepts a connection at one of the addresses, as ``PULSE_SERVER`` writes them."""
    return any(_accepts(_OTHER_MACHINE.sub("", entry), limit_s) for entry in address.split())


def _list_sockets(variables: Mapping[str, str]) -> Iterator[Path]:
    if runtime := variables.get("PULSE_RUNTIME_PATH"):
        yield Path(runtime, SOCKET_NAME)
    if runtime := variables.get("XDG_RUNTIME_DIR"):
        yield Path(runtime, "pulse", SOCKET_NAME)
    yield Path("/run/user", str(os.getuid()), "pulse", SOCKET_NAME)
    yield Path("/run/pulse", SOCKET_NAME)  # one for the whole machine


def _accepts(entry: str, limit_s: float) -> bool:
    try:
        if path := _read_path(entry):
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(limit_s)
                client.connect(path)
            return True
        if tcp := _TCP.match(entry):
            where = (tcp["host"].strip("[]"), int(tcp["port"] or TCP_PORT))
            socket.create_connection(where, limit_s).close()
            return True
    except OSError:
        return False
    return False


def _read_path(entry: str) -> str:
    path = entry.removeprefix("unix:")
    return path if path.startswith("/") else ""
