"""Bounded reading of files that a user names: no read takes for ever, and none takes all memory."""

from __future__ import annotations

import os
import stat
import sys
from typing import TYPE_CHECKING

from efdgen.generator.errors import EfdgenError

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

MOST = 16 << 20
"""Bytes of a file that is read; a whole curve with protocols is a tenth of it."""


def read_bytes(path: Path | str, *, regular: bool = False) -> bytes:
    """Return the content of a file; raise :class:`EfdgenError` if it cannot be read or has more than 16 MiB.

    If it has to be ``regular``, a device or a pipe is refused, which might never answer.
    """
    flags = os.O_RDONLY | os.O_CLOEXEC | (os.O_NONBLOCK if regular else 0)
    try:
        with os.fdopen(os.open(path, flags), "rb") as file:
            if regular and not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise EfdgenError(f"{path}: not a regular file")
            return _bounded(file, str(path))
    except OSError as error:
        raise EfdgenError(f"{path}: {error.strerror}") from None


def read_text(path: Path | str, *, regular: bool = False) -> str:
    """Return a text in UTF-8, with a byte order mark or without; raise as :func:`read_bytes` does."""
    return decoded(read_bytes(path, regular=regular), str(path))


def read_standard_input() -> bytes:
    """Return standard input; raise :class:`EfdgenError` if it has more than 16 MiB."""
    return _bounded(sys.stdin.buffer, "standard input")


def decoded(data: bytes, path: str) -> str:
    """Return a text whose lines end with newlines; raise :class:`EfdgenError` for what is not UTF-8."""
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        raise EfdgenError(f"{path}: not UTF-8 text") from None


def _bounded(file: BinaryIO, name: str) -> bytes:
    data = file.read(MOST + 1)
    if len(data) > MOST:
        raise EfdgenError(f"{name}: more than {MOST >> 20} MiB; it is no file for efdgen")
    return data
