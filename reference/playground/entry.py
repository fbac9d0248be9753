"""The function that the playground calls: a check of a text, in the words of ``efdgen check``."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import Any

from efdgen.generator.errors import DefectiveTextError, EfdgenError, MissingSageError, TextError, shortened
from efdgen.generator.formulas.draft import draft, with_draft
from efdgen.generator.reading import decoded
from efdgen.verify.certificate import require_law
from efdgen.verify.checking import check_draft

_INPUT = "<stdin>"


def check(text: str, place: str) -> str:
    """Return, as JSON, what ``efdgen check - --as PLACE`` prints of a text.

    ``out`` and ``error`` are its standard output and error. Beside them are the verdict, the law's, a
    ``headline`` and the cost in words, the ``places`` of errors in the text, and edits that mend a formula.
    """
    try:
        return json.dumps(_checked(text, place))
    except EfdgenError as error:
        places = [
            {"line": each.position.line, "column": each.position.column, "reason": each.reason}
            for each in _text_errors(error)
            if each.path == _INPUT
        ]
        return json.dumps(_answer("error", error=_said(error)) | {"places": places})


def _checked(text: str, place: str) -> dict[str, Any]:
    content = decoded(text.encode("utf-8", "surrogatepass"), _INPUT)
    read = replace(draft(content, place), path=_INPUT)
    found = check_draft(with_draft(read, None, require_law), read)
    known = found.fields()
    refutation = found.account.refutation
    return _answer(found.account.verdict, out=found.text()) | {
        "error": _said(MissingSageError()) if found.needs_sage else "",
        "law": known["law"],
        "headline": found.account.headline,
        "cost": f"{known['cost']['text']} as published, {known['emitted']['text']} as emitted",
        "repairs": [asdict(each) for each in refutation.repairs or ()] if refutation else [],
    }


def _answer(verdict: str, *, out: str = "", error: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {"verdict": verdict, "out": out, "error": error}
    return found | {"law": None, "headline": "", "cost": "", "places": [], "repairs": []}


def _text_errors(error: EfdgenError) -> tuple[TextError, ...]:
    if isinstance(error, DefectiveTextError):
        return error.errors
    return (error,) if isinstance(error, TextError) else ()


def _said(error: Exception) -> str:
    """Return an error as the command line prints it."""
    return f"efdgen: {shortened(str(error))}\n"
