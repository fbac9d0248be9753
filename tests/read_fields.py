"""Files of fields, read back as they are printed and after an edit."""

from __future__ import annotations

from functools import cache

from collected import Collected

from efdgen.generator.fields.request import FieldRequest
from efdgen.generator.render.field.bundle import render_field
from efdgen.verify.readback.read import Readback


@cache
def printed(request: FieldRequest) -> tuple[dict[str, str], Readback]:
    """Return the files of a field, and what reads them."""
    claims = Collected()
    files = render_field(request, claims)
    return files, Readback(claims.texts)


def require_refused(request: FieldRequest, name: str, old: str, new: str) -> None:
    """Fail unless a file with an edit differs from what was proved."""
    files, reader = printed(request)
    assert old in files[name]
    assert reader.differences({**files, name: files[name].replace(old, new, 1)}) != []
