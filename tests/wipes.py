"""Locals of functions on secrets in protocols in C: which of them are not wiped."""

import re
from collections.abc import Mapping

FUNCTION = re.compile(r"^(?:static inline )?\w+ (\w+)\(([^;{]*?)\) \{\n(.*?)^\}", re.M | re.S)
LOCAL = re.compile(r"^ +(?:const )?(\w+_(?:sc|key|nonces?|point|fe|stream)|uint8_t) ([^;(]+);", re.M)
# Functions on what is secret have a parameter of one of these names.
SECRET = re.compile(r"\b(?:secrets?|key|k|random_bytes|bytes|flag|tag|parts)\b")


# Parts of signatures and public keys, tags, hashes of messages, constants, a byte, a stream that is finished.
PUBLIC = {
    "bip340_sign_expanded": {"e", "made"},
    "ecdsa_public_key": {"none"},
    "der_open": {"head"},
    "exchange_public_key": {"x"},
    "exchange_public_key_batch": {"x"},
    "expand_message_xmd": {"short_tag"},
    "expand_message_xof": {"short_tag"},
    "hash_parts": {"stream"},
    "hash_to_scalar": {"byte"},
    "sc_from_wide_bytes": {"radix"},
    "ecdsa_sign_digest": {"e", "id", "r", "s"},
    "ecdsa_sign_message": {"digest"},
    "eddsa_sign_in": {"h", "made"},
}


def left(files: Mapping[str, str], prefix: str) -> dict[str, set[str]]:
    """Return the secret locals of headers of protocols that are not wiped, by function."""
    pattern = re.compile(rf"{prefix}_(?!n\.|\d).*\.h")
    own = [text for name, text in files.items() if pattern.fullmatch(name)]
    names = [pair for text in own for pair in _not_wiped(text).items()]
    found = {name: names - PUBLIC.get(name.removeprefix(f"{prefix}_"), set()) for name, names in names}
    return {name: names for name, names in found.items() if names}


def _not_wiped(text: str) -> dict[str, set[str]]:
    found = {}
    for name, parameters, body in FUNCTION.findall(text):
        if SECRET.search(parameters) and "_verify" not in name:
            lines = [names for _, names in LOCAL.findall(body)]
            declared = {name for names in lines for name in re.findall(r"\b([a-z]\w*)(?:\[|,|$| =)", names)}
            wiped = set(re.findall(r"_WIPE\(&?(\w+)", body))
            if declared - wiped:
                found[name] = declared - wiped
    return found


# Functions on scalars, digits and encodings of cosets have one of these parameters, or are these.
_SCALAR = re.compile(r"\buint8_t (?:k\[|\*k\b)|\buint32_t (?:[abt]|halves)\[|\buint32_t digit\b|random_bytes")
_OF_COSETS = {
    "element_of_bytes",
    *(f"{g}_{v}" for g in ("decaf", "ristretto") for v in ("decode", "from_uniform_bytes")),
}
_ROOM = re.compile(r"^ +\w+ \(?\*(\w+)\)?\S* = \([^()]*(?:\(\*\)\S*)?\)\w+_room\(", re.M)
_AGGREGATE = re.compile(r"^ +(?:const )?(\w+) ([a-z][^;(=]*?)(?: = [^;]*)?;", re.M)
# Places of results, copies of the point that is multiplied, and tables of it.
_PUBLIC = {
    "affine_multiple": {"negated"},
    "coz_multiply": {"base", "first", "made_affine", "negated", "twice", "zero"},
    "ladder": {"p1"},
    "multiple_by_halves": {"z"},
    "multiple_by_odd": {"table"},
    "multiply": {"base"},
    "multiply_table": {"negated"},
    "random_point_by_lift": {"coordinate", "drawn"},
    "scalar_absolute": {"zero"},
    "shared_sum": {"tables"},
}


def locals_left(text: str, prefix: str) -> dict[str, set[str]]:
    """Return arrays and structures of a curve's functions on scalars that are not wiped, by function."""
    found = {}
    for name, parameters, body in FUNCTION.findall(text):
        own = name.removeprefix(f"{prefix}_")
        if (_SCALAR.search(parameters) or own in _OF_COSETS) and "_var" not in own:
            declared = {
                local
                for kind, names in _AGGREGATE.findall(body)
                for local, sizes in re.findall(r"\b([a-z]\w*)((?:\[[^\]]*\])*)(?:,|$)", names)
                if sizes or (kind.startswith(prefix) and kind != f"{prefix}_word")
            }
            declared.update(_ROOM.findall(body))
            wiped = set(re.findall(r"_WIPE\(&?(\w+)", body))
            if left := declared - wiped - _PUBLIC.get(own, set()):
                found[own] = left
    return found
