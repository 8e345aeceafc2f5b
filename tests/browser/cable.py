"""The cable between a browser and the server, which can be cut."""

from __future__ import annotations

import contextlib
import socket
import threading


class Cable:
    """Passes everything on between its own port and another one, while it is whole."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._whole = True
        self.deaf = False
        """Whether what the server says gets lost, though it hears everything."""
        self._ends: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._start(self._listen)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def cut(self) -> None:
        """Every connection breaks, and no new one is made."""
        self._whole = False
        for end in self._ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        self.deaf = False
        self._whole = True

    def _start(self, what: object, *arguments: object) -> None:
        thread = threading.Thread(target=what, args=arguments, daemon=True)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _listen(self) -> None:
        while True:
            try:
                here, _ = self._listening.accept()
            except OSError:
                return
            if not self._whole:
                here.close()
                continue
            there = socket.create_connection(("127.0.0.1", self._to))
            self._ends += [here, there]
            self._start(self._pass_on, here, there, False)
            self._start(self._pass_on, there, here, True)

    def _pass_on(self, source: socket.socket, to: socket.socket, answers: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if not (answers and self.deaf):
                    to.sendall(data)
        with contextlib.suppress(OSError):
            to.shutdown(socket.SHUT_WR)

    def __enter__(self) -> Cable:
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for thread in self._threads:
            thread.join(10)
        for end in self._ends:
            end.close()
