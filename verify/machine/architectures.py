"""Architectures: instructions that branch or divide, and multiplications known to take variable time."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

_ARM_CONDITIONS = "eq|ne|hs|lo|cs|cc|mi|pl|vs|vc|hi|ls|ge|lt|gt|le"


@dataclass(frozen=True)
class Architecture:
    """An instruction set: how capstone disassembles it, and patterns of whole mnemonics.

    ``branch`` is a conditional branch, ``conditional`` another instruction that a flag skips, which takes
    another time. ``table`` names the module with the effects of instructions; without it functions
    with loops are not judged. ``note`` describes its multiplications.
    """

    name: str
    capstone: tuple[str, ...]
    branch: re.Pattern[str]
    division: re.Pattern[str]
    conditional: re.Pattern[str] = re.compile(r"(?!)")
    search: re.Pattern[str] = re.compile(r"(?!)")
    table: str = ""
    note: str = ""
    word: int = 8
    notes: dict[str, str] = field(default_factory=dict)


_X86 = Architecture(
    "x86-64",
    ("CS_ARCH_X86", "CS_MODE_64"),
    branch=re.compile(r"j(?!mp)\w+|loop\w*|(rep\w* )?(cmps|scas)\w*"),
    division=re.compile(r"i?div|v?(div|sqrt)[sp][sd]|f\w*div\w*"),
    search=re.compile(r"bs[fr]|pdep|pext"),
    table="x86",
)
_LOAD_OR_PRODUCT = "ldm|stm|ldr|str|push|pop|bl|blx|bx|mul|mla|umull|umlal|smull|smlal|umaal"
_ARM = Architecture(
    "arm",
    ("CS_ARCH_ARM",),
    branch=re.compile(rf"b({_ARM_CONDITIONS})(\.[wn])?|cbn?z|tb[bh]"),
    division=re.compile(r"[us]div\w*(\.w)?|v(div|sqrt)\w*(\.\w+)?"),
    conditional=re.compile(rf"({_LOAD_OR_PRODUCT})\w*?({_ARM_CONDITIONS})(\.\w+)?"),
    table="arm",
    word=4,
    notes={
        "v6S-M": "a Cortex-M0 has no long multiplication: compilers call a library's",
        "v6-M": "a Cortex-M0 has no long multiplication: compilers call a library's",
        "v7": "a Cortex-M3 multiplies long in 3 to 5 cycles, by the operands: not constant time there",
    },
)
_RISCV = Architecture(
    "riscv64",
    ("CS_ARCH_RISCV", "CS_MODE_RISCV64", "CS_MODE_RISCVC"),
    branch=re.compile(r"(c\.)?b(eq|ne|lt|ge|ltu|geu|eqz|nez|ltz|gez|gtz|lez)"),
    division=re.compile(r"(div|rem)u?w?|f(div|sqrt)\.\w+"),
    table="riscv",
    note="cores without Zkt may multiply in a time that depends on the operands",
)
_OTHERS = (
    Architecture(
        "aarch64",
        ("CS_ARCH_ARM64",),
        branch=re.compile(r"b\.\w+|cbn?z|tbn?z"),
        division=re.compile(r"[us]div|f(div|sqrt)"),
        table="arm64",
    ),
    Architecture(
        "powerpc64",
        ("CS_ARCH_PPC", "CS_MODE_64"),
        branch=re.compile(r"b(d?n?z|c|eq|ne|lt|gt|le|ge|so|ns|un|nu|t|f)\w*[+-]?"),
        division=re.compile(r"(div|mod)[dw]\w*\.?|f(div|sqrt)\w*"),
    ),
    Architecture(
        "s390x",
        ("CS_ARCH_SYSZ", "CS_MODE_BIG_ENDIAN"),
        branch=re.compile(
            r"(j|b|jg)(?!$|r$|as|asr)(e|ne|l|nl|h|nh|le|nle|he|nhe|lh|nlh|o|no|z|nz|p|np|m|nm)r?|brct\w*|"
            r"br?x[hl]\w*|c(l?g?r|l?g?i)j\w*|bct\w*|brc\w?|bc|clc|clcl\w*"
        ),
        division=re.compile(r"d(l|s)?(g)?(f)?r?"),
    ),
    Architecture(
        "mips",
        ("CS_ARCH_MIPS", "CS_MODE_MIPS32"),
        branch=re.compile(r"b(?!$|al$|reak$)\w+"),
        division=re.compile(r"d?divu?|mod\w*"),
        note="MIPS cores may multiply in a time that depends on the operands",
        word=4,
    ),
)
_ALL = (
    _X86,
    replace(_X86, name="i386", capstone=("CS_ARCH_X86", "CS_MODE_32"), word=4),
    _ARM,
    replace(_ARM, name="thumb", capstone=("CS_ARCH_ARM", "CS_MODE_THUMB", "CS_MODE_MCLASS")),
    _RISCV,
    replace(_RISCV, name="riscv32", capstone=("CS_ARCH_RISCV", "CS_MODE_RISCV32", "CS_MODE_RISCVC"), word=4),
    *_OTHERS,
)
ARCHITECTURES = {each.name: each for each in _ALL}

LIBRARY = re.compile(
    r"__(?:mul[sdt]i3|mulv\w+|ashl[sdt]i3|ashr[sdt]i3|lshr[sdt]i3|u?div[sdt]i3|u?mod[sdt]i3|u?divmod[sdt]i4|"
    r"clz[sdt]i2|ctz[sdt]i2|ffs[sdt]i2|popcount[sdt]i2|mspabi\w+|aeabi_(?:lmul|llsl|llsr|lasr|u?idiv\w*|u?ldivmod|"
    r"lcmp|ulcmp|[fd]\w+)|gnu_thumb1_case_\w+|u?cmp[dt]i2)"
)
"""Functions of a compiler's library whose time may depend on their operands."""

HARMLESS = re.compile(
    r"mem(?:cpy|set|move)|__aeabi_mem\w+|__stack_chk_fail(?:_local)?|explicit_bzero|memset_explicit|__x86\.get_pc_thunk\.\w+|"
    r"__riscv_(?:save|restore)_\d+|_(?:save|rest)(?:gpr|fpr|vr)[01]?_\d+|\w*(?:6subtle|black_box)\w*"
)
"""Functions outside of the code whose time depends on lengths alone."""

STOPPING = re.compile(r"^abort$|__stack_chk_fail|panic|unwrap_failed|slice_\w*_fail|expect_failed")
"""Functions that do not return."""


def words_of(name: str, word: int) -> int:
    """Return how many words the operands of a library's function take; 0 for another function."""
    if not LIBRARY.fullmatch(name):
        return 0
    kind = re.search(r"([sdt])i\d$", name)
    size = {"s": 4, "d": 8, "t": 16}[kind[1]] if kind else 4 if "idiv" in name else 8
    return 2 * max(1, size // word)
