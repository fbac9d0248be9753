"""The schema of the exports: members of the JSON document, and tables, columns and views of SQLite."""

from __future__ import annotations

from typing import NamedTuple


class Column(NamedTuple):
    """A column of a table: its name, type, meaning, and the member of the JSON document it is written from.

    Without a member it is computed from others.
    """

    name: str
    type: str
    meaning: str
    member: str = ""


class Table(NamedTuple):
    """A table: the meaning of a row, and its columns."""

    meaning: str
    columns: tuple[Column, ...]


MEMBERS: dict[str, dict[str, str]] = {
    "document": {
        "schema": "version of this schema; it grows when a meaning changes or a member goes",
        "efdgen": "version of efdgen",
        "models": "shapes of curves",
        "systems": "coordinate systems",
        "kinds": "operations",
        "formulas": "formulas with costs and verdicts",
        "unreadable": "files of user databases that are not formulas in the language of the database",
        "sources": "works that formulas cite",
        "maps": "maps between models, with the members of `map` in `efdgen show --json`",
        "curves": "named curves, with the members of `efdgen curves show --json`",
    },
    "models": {
        "id": "g1p/shortw; g12o is characteristic 2",
        "title": "name in words",
        "binary": "true in characteristic 2",
        "parameters": "names in the equations of the curve",
        "coordinates": "affine coordinates",
        "equations": "equations of the curve",
        "addition": "affine addition, by coordinate",
        "doubling": "affine doubling, by coordinate",
        "negation": "affine negation, by coordinate",
        "neutral": "the identity, by coordinate; empty where it is at infinity",
        "weierstrass": "coefficients a0 … a6 of an isomorphic Weierstrass curve",
        "to_weierstrass": "the isomorphism",
        "from_weierstrass": "its inverse",
        "text": "the file, in the language of efd/FORMAT.md; null if it is not text",
        "built_in": "false for a model of a user database",
    },
    "systems": {
        "id": "g1p/shortw/jacobian",
        "title": "name in words",
        "model": "id of the model",
        "variables": "names of a point's coordinates",
        "parameters": "names beside those of the model",
        "assumptions": "equations that the curve satisfies",
        "meanings": "affine coordinates in terms of the variables: x == X/Z^2",
        "included": "systems whose formulas serve this one too",
        "x_only": "true if a point is given by one affine value, such as x, without its sign",
        "text": "the file; null if it is not text",
        "built_in": "false for a system of a user database",
    },
    "kinds": {
        "id": "doubling",
        "title": "name in words",
        "function": "verb in names of generated functions",
        "inputs": "numbers of the points that are read",
        "laws": "relations among inputs, and the value of each output",
        "built_in": "false for a kind of a user database",
    },
    "formulas": {
        "id": "g1p/shortw/jacobian/addition/add-2007-bl",
        "kind": "id of the operation",
        "model": "title of the model",
        "system": "title of the system",
        "source": "the source line, with keys of works in brackets",
        "parameters": "parameters of model, system, map and formula",
        "assumptions": "assumptions of system, map and formula",
        "name": "last part of the id",
        "model_id": "id of the model",
        "system_id": "id of the system",
        "other_systems": "ids of other systems of its points; empty for a formula within one system",
        "own_assumptions": "assumptions of map and formula alone",
        "input_assumptions": "assumptions on coordinates of inputs, such as Z2 == 1",
        "citations": "keys of works, each with the work in words",
        "curve": "equations of the curve",
        "meanings": "meanings of the coordinates",
        "laws": "laws of the operation",
        "map": "the map that is applied to the outputs, or null",
        "equations": "hints, steps, checks and guards, one each",
        "program": "three-operand program as published",
        "emitted_program": "three-operand program after the compiler's passes",
        "cost": "cost as published: M, S, I, add, by parameter, by constant, powers, and all as text",
        "emitted": "cost of the emitted program",
        "published_weights": "weight of the cost as published, as below",
        "weights": "weight of the emitted cost by preset of --weights, exact, in multiplications",
        "depth": "length of the longest chain of products",
        "width": "largest number of products that are ready at a time",
        "temporaries": "field elements that a kernel of the formula stores beside its arguments",
        "verdict": "proved, refuted, undecided or error",
        "reason": "why it is not proved; empty for a proof",
        "law": "verdict on the law alone",
        "exceptional_inputs": "verdict on the exceptional inputs, null where none were looked for",
        "characteristic": "fields of the proof: every odd p",
        "remarks": "values that the formula's tests accept",
        "checked_by": "Rocq and its version if its kernel accepted the certificate, or null",
        "exceptions": "inputs on which the formula is wrong; null unless it is proved",
        "unrepresentable": "inputs without coordinates in the system",
        "unified": "whether equal points are added too; null for an operation that adds nothing",
        "complete": "always, no, or a condition on the curve under which no input is exceptional",
        "homogeneous": "whether scaled inputs give scaled outputs",
        "tried_over": "fields over which the exceptional inputs were confirmed",
        "refutation": "failing claims, counterexample, repairs, and all as text, or null",
        "text": "the file, in the language of efd/FORMAT.md",
        "built_in": "false for a formula of a user database",
    },
    "unreadable": {
        "id": "place in the database",
        "reason": "the first defect, with its line and column",
        "text": "the file; null if it is not text",
    },
    "sources": {
        "key": "2007-bernstein-lange",
        "type": "type of the BibTeX entry",
        "authors": "names, in order",
        "title": "title, in BibTeX's notation",
        "year": "year",
        "text": "the work in words",
        "bibtex": "the BibTeX entry",
    },
}


def _text(name: str, member: str = "", meaning: str = "") -> Column:
    return Column(name, "TEXT", meaning, member or name)


def _key(table: str, name: str = "id") -> Column:
    return Column(name, "TEXT PRIMARY KEY", "", name)


_FORMULA = "TEXT NOT NULL REFERENCES formula(id)"

TABLES: dict[str, Table] = {
    "about": Table(
        "A fact about this file",
        (
            Column("key", "TEXT PRIMARY KEY", "schema, efdgen or licence"),
            Column("value", "TEXT NOT NULL", "its value"),
        ),
    ),
    "model": Table(
        "A shape of curve",
        (
            _key("model"),
            _text("title"),
            Column("binary", "INTEGER NOT NULL", "", "binary"),
            *(_text(name) for name in ("parameters", "coordinates", "equations")),
            *(_text(name) for name in ("addition", "doubling", "negation", "neutral")),
            *(_text(name) for name in ("weierstrass", "to_weierstrass", "from_weierstrass", "text")),
            Column("built_in", "INTEGER NOT NULL", "", "built_in"),
        ),
    ),
    "system": Table(
        "A coordinate system",
        (
            _key("system"),
            _text("title"),
            Column("model", "TEXT NOT NULL REFERENCES model(id)", "", "model"),
            *(_text(name) for name in ("variables", "parameters", "assumptions", "meanings", "included")),
            Column("x_only", "INTEGER NOT NULL", "", "x_only"),
            _text("text"),
            Column("built_in", "INTEGER NOT NULL", "", "built_in"),
        ),
    ),
    "kind": Table(
        "An operation",
        (
            _key("kind"),
            *(_text(name) for name in ("title", "function", "inputs", "laws")),
            Column("built_in", "INTEGER NOT NULL", "", "built_in"),
        ),
    ),
    "formula": Table(
        "A formula",
        (
            _key("formula"),
            _text("name"),
            Column("system", "TEXT NOT NULL REFERENCES system(id)", "", "system_id"),
            Column("model", "TEXT NOT NULL REFERENCES model(id)", "", "model_id"),
            Column("kind", "TEXT NOT NULL REFERENCES kind(id)", "", "kind"),
            _text("source"),
            Column("published", "TEXT", "cost as published, in words", "cost"),
            Column("emitted", "TEXT", "cost of the emitted program, in words", "emitted"),
            *(
                Column(name, "INTEGER NOT NULL", f"{meaning} of the emitted program")
                for name, meaning in (
                    ("M", "multiplications"),
                    ("S", "squarings"),
                    ("I", "inversions"),
                    ("additions", "additions, subtractions and negations"),
                )
            ),
            Column("weight_1", "REAL", "weight for S = 1 M; in characteristic 2, S = 0", "weights"),
            Column("weight_08", "REAL", "weight for S = 0.8 M; in characteristic 2, S = 0.2", "weights"),
            Column("weight_067", "REAL", "weight for S = 0.67 M; NULL in characteristic 2", "weights"),
            *(Column(name, "INTEGER NOT NULL", "", name) for name in ("depth", "width", "temporaries")),
            _text("published_weights"),
            *(_text(name) for name in ("parameters", "other_systems", "input_assumptions", "map")),
            Column("verdict", "TEXT NOT NULL", "", "verdict"),
            *(_text(name) for name in ("reason", "law", "exceptional_inputs", "characteristic")),
            *(_text(name) for name in ("checked_by", "complete")),
            *(Column(name, "INTEGER", "", name) for name in ("unified", "homogeneous")),
            *(_text(name) for name in ("tried_over", "remarks", "refutation", "text")),
            Column("built_in", "INTEGER NOT NULL", "", "built_in"),
        ),
    ),
    "serving": Table(
        "A formula that serves a system: its own, or one of a system that it includes",
        (
            Column("system", "TEXT NOT NULL REFERENCES system(id)", "id of the system"),
            Column("formula", _FORMULA, "id of the formula"),
        ),
    ),
    "line": Table(
        "A line of a formula or of its program",
        (
            Column("formula", _FORMULA, "id of the formula"),
            Column("stage", "TEXT NOT NULL", "equations, program or emitted_program"),
            Column("number", "INTEGER NOT NULL", "number of the line, from 1"),
            Column("text", "TEXT NOT NULL", "the line"),
        ),
    ),
    "term": Table(
        "A term of a cost that is not 0",
        (
            Column("formula", _FORMULA, "id of the formula"),
            Column("stage", "TEXT NOT NULL", "published or emitted"),
            Column(
                "unit",
                "TEXT NOT NULL",
                "M, S, I, add, *a by a parameter, *2 by a constant, ^3 cubes",
            ),
            Column("count", "INTEGER NOT NULL", "number of these operations"),
        ),
    ),
    "assumption": Table(
        "An assumption of a formula",
        (
            Column("formula", _FORMULA, "id of the formula"),
            Column("text", "TEXT NOT NULL", "Z2 == 1"),
            Column("own", "INTEGER NOT NULL", "0 if the system assumes it for all its formulas"),
        ),
    ),
    "exception": Table(
        "An input on which a proved formula is wrong, or that has no coordinates",
        (
            Column("formula", _FORMULA, "id of the formula"),
            Column("input", "TEXT NOT NULL", "P=Q"),
            Column("representable", "INTEGER NOT NULL", "0 if it has no coordinates in the system"),
        ),
    ),
    "unreadable": Table("A file that is not a formula", (_key("unreadable"), _text("reason"), _text("text"))),
    "source": Table(
        "A work that formulas cite",
        (
            _key("source", "key"),
            *(_text(name) for name in ("type", "authors", "title", "year", "text", "bibtex")),
        ),
    ),
    "author": Table(
        "An author of a work",
        (
            Column("source", "TEXT NOT NULL REFERENCES source(key)", "key of the work"),
            Column("name", "TEXT NOT NULL", "name as in the entry"),
        ),
    ),
    "citation": Table(
        "A work that a formula cites",
        (
            Column("formula", _FORMULA, "id of the formula"),
            Column("source", "TEXT NOT NULL", "key of the work; a user's formula can cite unknown ones"),
        ),
    ),
    "map": Table(
        "A map between models",
        (Column("id", "TEXT PRIMARY KEY", "id"), Column("fields", "TEXT NOT NULL", "all members, as JSON")),
    ),
    "curve": Table(
        "A named curve",
        (
            Column("name", "TEXT PRIMARY KEY", "name"),
            Column("model", "TEXT NOT NULL", "id of the model"),
            Column("bits", "INTEGER NOT NULL", "size of the field"),
            Column("fields", "TEXT NOT NULL", "all members, as JSON; numbers are hexadecimal"),
        ),
    ),
}

INDEXES = (
    "serving(system)", "line(formula)", "term(formula)", "assumption(formula)", "exception(formula)",
    "exception(input)", "citation(formula)", "citation(source)", "author(name)", "formula(system, kind)",
)  # fmt: skip

_BEST = " UNION ALL ".join(
    f"SELECT '{ratio}' AS ratio, kind, serving.system, input_assumptions, x_only, formula.id, emitted,"
    f" {column} AS weight, row_number() OVER (PARTITION BY serving.system, kind, input_assumptions"
    f" ORDER BY {column}, additions, formula.system <> serving.system, formula.id) AS place"
    " FROM serving JOIN formula ON formula.id = serving.formula JOIN system ON system.id = serving.system"
    f" WHERE verdict = 'proved' AND other_systems = '[]' AND {column} IS NOT NULL"
    for ratio, column in (("1", "weight_1"), ("0.8", "weight_08"), ("0.67", "weight_067"))
)
"""All formulas with their places among rivals, by the ratio S/M."""

VIEWS: dict[str, tuple[str, str]] = {
    "best": (
        "The cheapest proved formula of each system, operation and assumption on inputs, by the ratio S/M "
        "(ratios 1 and 0.8 are S/M = 0 and 0.2 in characteristic 2); formulas between systems are left out",
        "SELECT ratio, kind, system, input_assumptions, x_only, id, emitted, weight"
        f" FROM ({_BEST}) WHERE place = 1",
    ),
    "complete_law": (
        "Proved additions within one system without exceptional inputs, if a condition on the curve holds",
        "SELECT id, complete, input_assumptions, emitted, weight_08, unified FROM formula"
        " WHERE verdict = 'proved' AND kind = 'addition' AND other_systems = '[]' AND complete <> 'no'"
        " ORDER BY weight_08, id",
    ),
    "by_author": (
        "Formulas by the authors of the works that they cite",
        "SELECT author.name, source.year, citation.formula, source.key FROM author JOIN source"
        " ON source.key = author.source JOIN citation ON citation.source = source.key",
    ),
}


def meaning(table: str, column: Column) -> str:
    """Return the meaning of a column; a list or an object of the JSON document is JSON in a column."""
    plural = f"{table}s" if table != "unreadable" else table
    return column.meaning or MEMBERS[plural][column.member]


def schema_text() -> str:
    """Return the schema in Markdown."""
    lines = ["# The exported database", "", "## JSON", "", "One document. Numbers are exact."]
    for name, members in MEMBERS.items():
        lines += ["", f"### `{name}`" if name != "document" else "### The document", ""]
        lines += ["| member | meaning |", "|---|---|", *(f"| `{k}` | {v} |" for k, v in members.items())]
    lines += ["", "## SQLite", "", "A list or an object of the JSON document is JSON in its column."]
    for name, table in TABLES.items():
        lines += [
            "",
            f"### Table `{name}`",
            "",
            f"{table.meaning}.",
            "",
            "| column | type | meaning |",
            "|---|---|---|",
        ]
        lines += [f"| `{c.name}` | {c.type.split()[0]} | {meaning(name, c)} |" for c in table.columns]
    for name, (about, _) in VIEWS.items():
        lines += ["", f"### View `{name}`", "", f"{about}."]
    return "\n".join([*lines, ""])
