"""CuttingProxy: passes on what is asked and answered, and cuts every stream of events off behind so many of them."""

import socket
import threading
from contextlib import suppress


class CuttingProxy:
    """Listens on a port of its own; ends when it is closed."""

    def __init__(self, port: int, events: int) -> None:
        self._port = port
        self._events = events
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.cuts = 0
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def close(self) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for each in self._threads:
            each.join()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            self._threads.append(threading.Thread(target=self._serve, args=(near,), daemon=True))
            self._threads[-1].start()

    def _serve(self, near: socket.socket) -> None:
        with near, socket.create_connection(("127.0.0.1", self._port)) as far:
            threading.Thread(target=self._pass_on, args=(near, far), daemon=True).start()
            passed = b""
            with suppress(OSError):
                while part := far.recv(65_536):
                    near.sendall(part)
                    passed += part
                    if b"text/event-stream" in passed and passed.count(b"\ndata:") >= self._events:
                        self.cuts += 1
                        break
            for each in (near, far):  # closing alone waits for whoever still reads of it
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)

    def _pass_on(self, near: socket.socket, far: socket.socket) -> None:
        """Pass on what is asked; the service is to be reached by its own name."""
        with suppress(OSError):
            while part := near.recv(65_536):
                far.sendall(part.replace(self.address[7:].encode(), f"127.0.0.1:{self._port}".encode()))
        with suppress(OSError):  # who asked has gone; the service would wait for what they ask next
            far.shutdown(socket.SHUT_RDWR)
