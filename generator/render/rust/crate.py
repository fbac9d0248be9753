"""A whole curve's crate in Rust: its kernels, and files of functions with their imports."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from efdgen.generator.errors import EfdgenError
from efdgen.generator.fields.pieces import Names
from efdgen.generator.kernels.contract import LICENSE, header_lines
from efdgen.generator.lanes.instructions import MACHINES
from efdgen.generator.programs.kernel import Bundle
from efdgen.generator.render.rust import versions as rust_versions
from efdgen.generator.render.rust.bundle import crate_files, element_constant, print_bundle, read_in
from efdgen.generator.render.rust.ff import field_constants, field_facts
from efdgen.generator.render.rust.field import Constant, RustField
from efdgen.generator.render.rust.imports import imports, use_lines
from efdgen.generator.render.rust.kernels import fill
from efdgen.generator.render.rust.packages import OF_CURVES, OF_POINTS, locked
from efdgen.generator.render.rust.protocols import TITLES, Protocols
from efdgen.generator.render.rust.scalars import scalar_files
from efdgen.generator.text.prefixes import SCALAR_MODULE
from efdgen.generator.text.rust import comment, indented

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from efdgen.generator.options import Machine
    from efdgen.generator.planning.ladder import LadderPlan
    from efdgen.generator.planning.plan import CurvePlan
    from efdgen.generator.render.rust.bundle import Options
    from efdgen.generator.render.rust.function_files import FunctionFile
    from efdgen.generator.render.rust.kernels import Structure
    from efdgen.generator.render.rust.packages import Package

NATIVE = "src/native/"
"""The folder of a curve's modules in a larger crate."""

FEATURES = {
    "affine_form": "group",
    "generate": "rand_core",
    "groups": "group",
    "multi": "alloc",
    "prime_fields": "ff",
    "serialize": "serde",
    "subgroup": "group",
}
"""The features of a crate that some of its modules need."""

_TEMPLATES = {"generate": "random_keys", "serialize": "serde"}
"""The templates of modules that have another name."""

POINTS = {
    "GENERATOR": "The generator.",
    "IDENTITY": "The identity.",
    "SECOND": "The other fixed point.",
}


@dataclass(frozen=True)
class Root:
    """The place of a curve's modules: a crate's own root, or a module of a larger crate.

    ``path`` and ``folder`` are where they are in Rust and in files; ``elements`` and ``scalars`` are
    constants that the types of both fields have for traits and for the larger crate, which calls all
    functions of the files ``opened``.
    """

    path: str = "crate"
    folder: str = "src/"
    elements: Sequence[Constant] = ()
    scalars: Sequence[Constant] = ()
    opened: Collection[str] = ()

    @property
    def is_crate(self) -> bool:
        """Return whether the modules are a crate's own."""
        return self.path == "crate"

    @property
    def lanes_if(self) -> str:
        """The condition for lanes; a larger crate has none where its script finds an older compiler."""
        processor = 'target_arch = "x86_64"'
        return processor if self.is_crate else f'all({processor}, not(efdgen_lanes = "none"))'

    def moved(self, path: str) -> str:
        """Return a path under ``crate`` as it is under this root."""
        return path.replace("crate", self.path, 1)

    def paths(self, names: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
        """Return names by their paths under this root."""
        return {self.moved(path): value for path, value in names.items()}

    def placed(self, files: Mapping[str, str]) -> dict[str, str]:
        """Return the files by their paths; a module is its sources alone."""
        if self.is_crate:
            return dict(files)
        found = {path.removeprefix("src/"): text for path, text in files.items() if path.startswith("src/")}
        return {self.folder + {"lib.rs": "mod.rs"}.get(path, path): text for path, text in found.items()}

    def definitions(self, constants: Sequence[Constant]) -> list[str]:
        """Return the definitions of constants as elements, for the larger crate too if it calls functions."""
        return [element_constant(each, "pub(crate) " if self.opened else "") for each in constants]

    def methods(self, constants: Sequence[Constant]) -> list[str]:
        """Return additions to a field's type for traits: constants, and a reader of numbers."""
        if self.is_crate and not constants:
            return []
        lines = [
            f"/// {c.doc}\npub(crate) const {c.name}: Self = Self::constant(limbs::{c.name});"
            for c in constants
        ]
        mark = f"{read_in('ff')}\n" if self.is_crate else ""
        texts = (*lines, fill("reduce_le.rs.j2", {}).rstrip())
        return [indented(text.replace("pub(crate)", f"{mark}pub(crate)", 1)) for text in texts]


def beside(module: str, opened: Collection[str]) -> Root:
    """Return the place of a curve in a module of a crate of another curve."""
    return Root(path=f"crate::{module}", folder=f"src/{module}/", opened=opened)


@dataclass(frozen=True)
class WholeCrate:
    """The additions that make a crate of a bundle of kernels.

    ``wanted`` are the field's functions, ``constants`` elements that are named, ``values`` the names of the
    templates. ``parts`` are files from templates of their names, ``functions`` files of functions alone,
    ``exports`` what each makes public.
    ``offered`` are the names that parts may import, by their modules, and ``aliases`` the paths of others.
    ``types`` are beside those of the kernels, which have the group's namespace unless ``plain_types``.
    ``inlined`` are kernels by which parts replace what they read, so that nothing is copied there.
    ``order`` is the prime of the type of scalars; None for no such type. With ``lanes`` there are functions
    for many points.
    """

    bundle: Bundle
    wanted: Sequence[str]
    constants: Sequence[Constant]
    values: Mapping[str, Any]
    parts: Sequence[str]
    exports: Mapping[str, Sequence[str]]
    offered: Mapping[str, Sequence[str]]
    aliases: Mapping[str, str]
    types: Sequence[Structure] = field(default_factory=tuple)
    functions: Mapping[str, FunctionFile] = field(default_factory=dict)
    tables: bool = False
    plain_types: bool = False
    inlined: Sequence[str] = ()
    order: int | None = None
    lanes: Machine | None = None
    protocols: Protocols = field(default_factory=Protocols)

    @property
    def moduli(self) -> dict[str, int]:
        """The moduli of the types of elements and scalars; elements of GF(2^m) are no residues."""
        scalars = {"scalars": self.order} if self.order else {}
        prime = {} if self.bundle.ground.is_binary else {"elements": self.bundle.ground.order}
        return prime | scalars

    @property
    def requirements(self) -> dict[str, Any]:
        """Values for templates: whether there are lanes, and the oldest version of Rust."""
        version = rust_versions.OF_LANES if self.lanes else rust_versions.OF_CURVES
        machine = MACHINES[self.lanes] if self.lanes else None
        return {"lanes": self.lanes, "machine": machine, "rust_version": version}

    @property
    def templates(self) -> dict[str, str]:
        """The templates of files, but for those of protocols."""
        found = {part: f"curve/{_TEMPLATES.get(part, part)}.rs.j2" for part in self.parts}
        found |= dict.fromkeys(self.functions, "functions.rs.j2")
        return found | (
            {"secret": "protocols/secret.rs.j2"} if self.protocols.modules and self.protocols.secret else {}
        )


def whole_crate(crate: WholeCrate, options: Options, root: Root) -> dict[str, str]:
    """Return the files of a crate, or of a module of one; raise :class:`EfdgenError` for another layout."""
    if options.layout != "crate":
        raise EfdgenError("a whole curve in Rust is a crate; leave --layout out")
    bundle, protocols, root = crate.bundle, crate.protocols, _with_constants(root, crate)
    own = RustField(options.fields.of(bundle.ground), Names(bundle.prefix), options.claims, crate.wanted)
    printed = print_bundle(
        bundle,
        own,
        options.lowering,
        crate.constants,
        plain_types=crate.plain_types,
        in_place=True,
        inlined=crate.inlined,
    )
    exports = {
        "field": ["FieldElement"],
        **({SCALAR_MODULE: ["Scalar"]} if crate.order else {}),
        **crate.exports,
    }
    words = [
        "limbs",
        *(["tables"] if crate.tables else []),
        *([f"{SCALAR_MODULE}_limbs"] if crate.order else []),
    ]
    parts = crate.templates
    names = printed.names | {
        "constants": root.definitions(printed.constants),
        "exports": [line for m, names in sorted(exports.items()) for line in use_lines("pub use", m, names)],
        "modules": sorted([*parts, "field", *([SCALAR_MODULE] if crate.order else []), *words]),
        "features_of": FEATURES,
        "by_words": words,
        "whole_curve": True,
        **crate.requirements,
        "paths": [f"{root.path}::limbs"],
        "packages": _packages(crate),
        **{name: field_facts(modulus) for name, modulus in crate.moduli.items()},
        **crate.values,
        **_protocol_names(protocols),
        "root": root,
    }
    names["types"] = [*printed.names["types"], *crate.types]
    names["methods"] = [*root.methods(root.elements), *printed.names["methods"]]
    templates = {"src/lib.rs": "curve/lib.rs.j2", "src/field.rs": "field.rs.j2"}
    if root.is_crate:
        templates["examples/driver.rs"] = "curve/driver.rs.j2"
        if protocols.modules:
            templates["examples/driver_protocols.rs"] = "protocols/driver.rs.j2"
    every = [*printed.constants, *root.elements]
    files = crate_files(bundle, own, replace(printed, names=names, constants=every), templates)
    parts |= {part: f"protocols/{part}.rs.j2" for part in (*protocols.modules, *protocols.keys)}
    offered = root.paths(_offered(crate))
    aliases = {a: root.moved(path) for a, path in crate.aliases.items()}
    for part, template in parts.items():
        given = names | {"file": crate.functions.get(part)}
        lines = imports(fill(template, given | {"imports": []}), offered, aliases)
        files[f"src/{part}.rs"] = fill(template, given | {"imports": lines})
    return root.placed(files | (scalar_files(crate.order, names, options) if crate.order else {}))


def _with_constants(root: Root, crate: WholeCrate) -> Root:
    """Return the place of modules; a crate's own has the constants of the traits of ``ff``."""
    if not root.is_crate:
        return root
    found = {name: field_constants(modulus) for name, modulus in crate.moduli.items()}
    return replace(root, elements=found.get("elements", ()), scalars=found.get("scalars", ()))


def _protocol_names(protocols: Protocols) -> dict[str, Any]:
    """Return the names of protocols for the templates."""
    return {
        "public_modules": sorted(
            [(name, "protocols" if hashes else "") for name, hashes in protocols.modules.items()]
            + [(name, "signature") for name in protocols.keys]
        ),
        "keys": protocols.keys,
        "public_names": [*protocols.modules],
        "titles": [TITLES[name] for name in protocols.modules if name in TITLES],
        "hashes": protocols.packages,
        "tried_with": protocols.tried_with,
        **protocols.values,
    }


def _offered(crate: WholeCrate) -> dict[str, Sequence[str]]:
    """Return the names that parts may import, those of protocols besides."""
    own = {"crate": [*crate.offered["crate"], *crate.protocols.modules], "crate::secret": ["Secret"]}
    return {**crate.offered, **own}


def _packages(crate: WholeCrate) -> list[Package]:
    """Return the packages of a crate's lock file."""
    protocols = crate.protocols
    traits = (*OF_CURVES, *OF_POINTS * bool(crate.order), *["signature"] * bool(protocols.keys))
    traits += ("cpufeatures",) * bool(crate.lanes)
    return locked(crate.bundle.prefix, (*traits, *protocols.packages, *protocols.tried_with))


def asked_name(plan: CurvePlan | LadderPlan) -> str:
    """Return the name by which the command asks for the plan's curve, one of its own or an alias."""
    words, curve = plan.command.words, plan.curve
    asked = words[words.index("--curve") + 1] if "--curve" in words else curve.name
    return asked if asked in curve.aliases else curve.name


def filled(folder: str, paths: Sequence[str], head: Bundle, values: Mapping[str, Any]) -> dict[str, str]:
    """Return the files of a larger crate from a folder of templates, with headers."""
    lines = header_lines(head)[:4]
    since = rust_versions.LANES if values.get("lanes") else None
    values = {
        "license": LICENSE,
        "safe_carries": rust_versions.SAFE_CARRIES,
        "lanes_since": since,
        **values,
    }
    files = {}
    for path in paths:
        template = "build.rs.j2" if path == "build.rs" else f"{folder}/{Path(path).name}.j2"
        header = _header(lines, path)
        files[path] = fill(template, {"header": header, "short_header": header, **values})
    return files


def _header(lines: Sequence[str], path: str) -> str:
    """Return a header as a comment of a file's language."""
    if path.endswith(".md"):
        return "\n".join(["<!--", *lines, "-->"])
    return comment(lines, "#" if path.endswith(".toml") else "//")


def crate_of(files: Mapping[str, str]) -> dict[str, str]:
    """Return files by their paths, those of a curve that is a module as if it was a crate of its own."""
    folders = [path.removesuffix("mod.rs") for path in files if path.endswith("/mod.rs")]
    if not folders:
        return dict(files)
    (folder,) = folders
    module = {path.removeprefix(folder): text for path, text in files.items() if path.startswith(folder)}
    return {"src/" + {"mod.rs": "lib.rs"}.get(path, path): text for path, text in module.items()}


def point_constants(members: Sequence[str], points: Mapping[str, Sequence[int]]) -> Iterator[Constant]:
    """Yield the coordinates of points as constants, but those that have a name of their own, 0 and 1."""
    for name, values in points.items():
        for member, value in zip(members, values, strict=True):
            if value > 1:
                doc = f"The coordinate `{member}` of a point."
                yield Constant(f"{name}_{member.upper()}", doc, value)


def known_points(
    type_name: str, members: Sequence[str], points: Mapping[str, Sequence[int]]
) -> Iterator[dict[str, Any]]:
    """Yield what the template of the crate prints of points that are constants."""
    known = {0: "FieldElement::ZERO", 1: "FieldElement::ONE"}
    for name, values in points.items():
        pairs = zip(members, values, strict=True)
        yield {
            "name": name,
            "type": type_name,
            "doc": POINTS[name],
            "members": [{"name": m, "value": known.get(v, f"{name}_{m.upper()}")} for m, v in pairs],
        }


def documented(lines: Sequence[str]) -> list[str]:
    """Return lines as a crate's documentation has them."""
    return [f"//! {line}".rstrip() for line in lines]


def paragraph(text: str, mark: str = "///") -> str:
    """Return a text as a comment."""
    return comment([text], mark)
