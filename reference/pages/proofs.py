"""Proofs that readers can check themselves: scripts for SageMath, and certificates for Rocq by system."""

from __future__ import annotations

import base64
import io
import zipfile
from typing import TYPE_CHECKING, Any

from efdgen.verify.rocq.many import certify_all, subjects

if TYPE_CHECKING:
    from collections.abc import Sequence

_TIME = (2000, 1, 1, 0, 0, 0)


def proofs(ids: Sequence[str], jobs: int | None) -> dict[str, Any]:
    """Return a script for each proved formula, and an archive of the certificates, in base 64.

    Equal certificates give equal archives. Formulas without a certificate are left out.
    """
    found, _ = certify_all(subjects(ids, None, None, models=False), jobs, unchecked=False)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for each in found:
            archive.writestr(zipfile.ZipInfo(each.file, _TIME), each.text("rocq"), zipfile.ZIP_DEFLATED)
    return {
        "scripts": {each.subject: each.text("sage") for each in found},
        "archive": base64.b64encode(content.getvalue()).decode() if found else "",
    }
