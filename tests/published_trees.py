"""The site of today as docs/published-trees.md has it, and its folders beside those of 2019."""

import re
from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile

PAGE = Path(__file__).parents[1] / "docs" / "published-trees.md"
_ROW = re.compile(r"^\| (g1p/\S+) \| ([^|]+) \| ([^|]+) \| (proof|text|cost) \|$", re.M)

# Formulas that the site has since 2019: the site's cost, the cost here.
SINCE_2019 = {
    name: (site.replace("\\", ""), here.replace("\\", ""))
    for name, site, here, _ in _ROW.findall(PAGE.read_text(encoding="utf-8"))
}


def site_of(tree: Path, folder: Path) -> Path:
    """Copy a tree of 2019 into the folders of the site, with lists of folders as wget leaves them."""
    for path, (field_class, *rest) in _files(tree):
        place = folder.joinpath(field_class, "auto-code" if path.suffix == ".op3" else "data", *rest)
        _copy(path, place)
        (place.parent / "index.html").write_text("<html>\n", encoding="utf-8")
    return folder


def archive_of(site: Path, folder: Path) -> Path:
    """Copy what a site has, except for formulas since 2019, into the folders of the archive of 2019."""
    for path, (field_class, kind, *rest) in _files(site):
        name = "/".join([field_class, *rest])
        if kind in ("data", "auto-code") and name.removesuffix(".op3") not in SINCE_2019:
            _copy(path, folder / name)
    return folder


def _files(tree: Path) -> Iterator[tuple[Path, tuple[str, ...]]]:
    for path in tree.rglob("*"):
        if path.is_file() and ".html" not in path.name:
            yield path, path.relative_to(tree).parts


def _copy(path: Path, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    copyfile(path, place)
