"""The commitments in Python."""

from pathlib import Path


def test_the_commitments_in_python(project: Path, passes) -> None:
    assert passes()
    text = (project / "commitments.py").read_text()
    (project / "commitments.py").write_text(text.replace("blinding * H", "1 * H"))
    assert not passes()
