"""Packages that efdgen uses without requiring them, as the metadata of the installation names them."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, requires


def installing(extra: str) -> str:
    """Return the command that installs the packages of an extra: ``pip install 'matplotlib<4,>=3.10'``."""
    try:
        lines = requires("efdgen") or ()
    except PackageNotFoundError:  # a clone that is not installed
        return f"pip install '.[{extra}]' in a clone"
    found = [line.partition(";")[0].strip() for line in lines if line.endswith(f'extra == "{extra}"')]
    return " ".join(["pip install", *(f"'{each}'" for each in found)])
