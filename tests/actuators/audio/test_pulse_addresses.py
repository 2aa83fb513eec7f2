"""Where the sound server is looked for."""

import socket
from pathlib import Path

import pytest

from actuators.audio.pulse.connection import answers, find_address


@pytest.fixture
def listening(machine_folder: Path) -> Path:
    path = machine_folder / "listening"
    path.mkdir(exist_ok=True)
    return path


def test_what_is_declared_is_taken_as_it_is() -> None:
    assert find_address({"PULSE_SERVER": " tcp:sound.example:4713 "}) == "tcp:sound.example:4713"


def test_the_socket_that_exists_is_taken_in_the_order_of_the_variables(tmp_path: Path) -> None:
    variables = {"PULSE_RUNTIME_PATH": str(tmp_path / "own"), "XDG_RUNTIME_DIR": str(tmp_path)}
    assert find_address(variables) == f"unix:{tmp_path}/own/native"
    (tmp_path / "pulse").mkdir()
    (tmp_path / "pulse" / "native").touch()
    assert find_address(variables) == f"unix:{tmp_path}/pulse/native"


def test_without_any_variable_an_address_is_named_all_the_same() -> None:
    assert find_address({}).startswith("unix:/run/")


def test_one_of_several_addresses_that_answers_is_enough(listening: Path) -> None:
    path = listening / "native"
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX) as server, socket.create_server(("127.0.0.1", 0)) as tcp:
        server.bind(str(path))
        server.listen()
        port = tcp.getsockname()[1]
        for address in (
            f"unix:{path}",
            str(path),
            f"{{0123abc}}unix:{path}",
            f"unix:/nonexistent/native unix:{path}",
            f"tcp:127.0.0.1:{port}",
            f"127.0.0.1:{port}",
            f"tcp4:127.0.0.1:{port}",
        ):
            assert answers(address), address
    for address in (f"unix:{path}", "unix:/nonexistent/native", f"tcp:127.0.0.1:{port}", "", "unix:", "odd:/stuff"):
        assert not answers(address), address
