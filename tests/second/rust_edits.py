"""Edits of emitted Rust for secp256k1, each a hole that a reader has had or might have."""

from __future__ import annotations

from second.c_edits import Edit

_LIB, _FIELD, _L64, _L32 = "src/lib.rs", "src/field.rs", "src/limbs64.rs", "src/limbs32.rs"
_Y, _WRONG = "    let y3 = p1.y.neg(); // Y3 = -Y1\n", "    let y3 = p1.y;\n"
_MEMBERS = [f"    /// The coordinate `{m.upper()}`.\n    pub {m}: FieldElement,\n" for m in "xy"]
_NEGATED = "let y3 = p1.y.neg();"
_REDUCE = "    reduce_8a_512_to_292(&mut b, &t0_wide);\n"
_CONDITIONS = (
    *('target_os = "linux"', "debug_assertions", 'target_arch = "wasm32"', 'target_endian = "big"', "test"),
    *('target_feature = "avx2"', 'target_arch = "aarch64"', 'feature = "word32"', 'feature = "evil"'),
)
_EQUAL = "impl PartialEq for FieldElement {\n    #[inline]\n"
_USE = "pub use field::FieldElement;\n"
_ZEROIZE = "impl Zeroize for Point {\n    fn zeroize(&mut self) {\n        self.x.zeroize();\n"
_SELECT = "            x: FieldElement::conditional_select(&a.x, &b.x, choice),\n"
_WORDS_MUT = "        &mut self.0\n    }\n\n    /// Returns `self + other`."
_CANONICAL = "        limbs::from_number(&mut r.0, words);\n        r\n    }\n\n    /// Returns `1 / self`"
_CARRY = "        (sum as u64, (sum >> 64) as u8)\n"
_SPELLED = "pub const CONSTANT_ONE: [u64; 4] = [\n    0x0000_0000_0000_0001,"

RUST_EDITS = (
    Edit("nested-comment", _LIB, _Y, f"    /* /* */ {_Y.strip()} // */ {_WRONG.strip()}\n"),
    Edit("nested-limbs", _L64, _REDUCE, f"    /* /* */ {_REDUCE.strip()} // */\n"),
    *(Edit(f"cfg-{i}", _LIB, _Y, f"{_Y}    #[cfg({c})]\n{_WRONG}") for i, c in enumerate(_CONDITIONS)),
    Edit(
        "use-as",
        _LIB,
        _USE,
        f"{_USE}#[allow(unused_imports)]\nuse core::convert::identity as evil;\n",
        "not used",
    ),
    Edit("mod-evil", _LIB, _USE, f"{_USE}mod evil {{}}\n", "empty"),
    Edit(
        "trait-neg",
        _LIB,
        _USE,
        f"{_USE}#[allow(dead_code)]\ntrait Neg2 {{\n    fn neg(self) -> FieldElement;\n}}\n",
        "not used",
    ),
    Edit(
        "field-neg",
        _FIELD,
        "        limbs::neg(&mut r.0, &self.0);\n",
        "        limbs::from_number(&mut r.0, &self.0);\n",
    ),
    Edit(
        "macro-rules",
        _LIB,
        _Y,
        f"    macro_rules! left {{ ($($t:tt)*) => {{}}; }}\n{_WRONG}    left! {{ {_NEGATED} }}\n",
    ),
    Edit(
        "default-fields",
        _FIELD,
        "pub const ZERO: Self = Self([0; LIMBS]);",
        "pub const ZERO: Self = Self([1; LIMBS]);",
    ),
    Edit(
        "type-word",
        _L64,
        "/// Words of an element.\n",
        "/// Another.\npub type Evil = u32;\n\n/// Words of an element.\n",
        "not used",
    ),
    Edit("limbs-const", _L64, "pub const LIMBS: usize = 4;", "pub const LIMBS: usize = 5;"),
    Edit("words-const", _L64, "pub const WORDS: usize = 4;", "pub const WORDS: usize = 5;"),
    Edit(
        "signed-limbs",
        _FIELD,
        "(FieldElement::BITS + 1) / SIGNED_BITS + 1;",
        "(FieldElement::BITS + 1) / SIGNED_BITS;",
    ),
    Edit(
        "batches", _FIELD, "if WORD_BITS == 64 { 10 } else { 22 };", "if WORD_BITS == 64 { 8 } else { 18 };"
    ),
    Edit(
        "ct-eq",
        _FIELD,
        _EQUAL,
        "impl PartialEq for FieldElement {\n    #[allow(clippy::all)]\n    #[inline]\n",
        "a lint",
    ),
    Edit("select-point", _LIB, _SELECT, _SELECT.replace("&a.x, &b.x", "&b.x, &a.x")),
    Edit("zeroize-none", _LIB, _ZEROIZE, _ZEROIZE.replace("        self.x.zeroize();\n", "")),
    Edit("eq-body", _FIELD, "        self.ct_eq(other).into()\n", "        !bool::from(self.ct_eq(other))\n"),
    Edit("cargo-default", "Cargo.toml", "[features]\n", '[features]\ndefault = ["word32"]\n', "other words"),
    Edit("cargo-build", "Cargo.toml", 'edition = "2021"\n', 'edition = "2021"\nbuild = "evil.rs"\n'),
    Edit("unsafe", _LIB, "#![forbid(unsafe_code)]\n", "", "no unsafe code"),
    Edit("u32-let", _L64, "    let t_0 = a[0];\n", "    let t_0: u64 = a[0];\n", "its type"),
    Edit(
        "signs-impl",
        _FIELD,
        "/// A signed word.\ntype Signed",
        "impl Signs for u16 {\n    type Signed = i16;\n    type Sum = i32;\n}\n\n"
        "/// A signed word.\ntype Signed",
        "not used",
    ),
    Edit("lit-suffix", _L64, _SPELLED, f"{_SPELLED[:-1]}_u64,", "its type"),
    Edit("as-u32", _L64, _CARRY, "        (sum as u32 as u64, (sum >> 64) as u8)\n"),
    Edit(
        "words-mut",
        _FIELD,
        _WORDS_MUT,
        _WORDS_MUT.replace("        &mut self.0", "        self.0[0] = 1;\n        &mut self.0"),
        "all words are stored",
    ),
    Edit(
        "deriv",
        _LIB,
        f"pub struct Point {{\n{_MEMBERS[0]}{_MEMBERS[1]}",
        f"pub struct Point {{\n{_MEMBERS[1]}{_MEMBERS[0]}",
        "named members",
    ),
    Edit(
        "x-cfg-in-body",
        _LIB,
        _Y,
        f'    #[cfg(feature = "zeroize")]\n{_WRONG}    #[cfg(not(feature = "zeroize"))]\n{_Y}',
    ),
    Edit(
        "x-from-canonical",
        _FIELD,
        _CANONICAL,
        _CANONICAL.replace("words);\n", "words);\n        r.0[0] ^= 1;\n"),
    ),
    Edit("x-limb-const", _L64, "0x1_0000_03d1", "0x1_0000_03d3"),
    Edit("x-limb-const-32", _L32, "0x3d1", "0x3d3"),
    Edit("x-cfg-limb", _L64, _REDUCE, f'    #[cfg(not(target_arch = "wasm32"))]\n{_REDUCE}'),
    Edit(
        "x-macro",
        _L64,
        _REDUCE,
        f"    macro_rules! left {{ ($a:expr, $b:expr) => {{}}; }}\n    left!{_REDUCE.partition('292')[2]}",
    ),
    Edit("x-swapped-carry", _L64, "add_carry(c_20, t_15, t_14)", "add_carry(c_18, t_15, t_14)"),
    Edit("x-wrapping", _FIELD, "    ((a as Signed) >> amount) as Word\n", "    a >> amount\n"),
)
