"""The files of proofs that a store keeps."""

from pathlib import Path


def kept(directory: Path) -> list[Path]:
    """Return the files with proofs; beside them stands what modules import."""
    return [path for path in directory.iterdir() if path.stem != "imports"]
