"""The closed world of generated files: text that compilers read in several ways is refused."""

from collections.abc import Mapping
from functools import cache

import pytest
from collected import Collected

from efdgen.generator.compile import Request, make_bundle
from efdgen.generator.files import render
from efdgen.generator.formulas.database import Database
from efdgen.generator.kernels.prover import Prover
from efdgen.verify.readback.closed import foreign
from efdgen.verify.readback.conditions import CONDITIONS, OWN_CONDITIONS
from efdgen.verify.readback.read import Readback

FORMULAS = ("jacobian-0/doubling/dbl-2009-l",)


@cache
def printed(language: str) -> tuple[Mapping[str, str], Readback]:
    claims = Collected()
    request = Request(language, "secp256k1", formulas=FORMULAS, prefix="toy", lowering="calls")
    files = render(make_bundle(Database(), request, Prover()), request, claims)
    return files, Readback(claims.every)


# Lines that are put between two functions: no reader of functions has to look at them.
C = {
    "a backslash at the end of a line": "/* a comment \\\n*/",
    "a trigraph in a comment": "/* a comment ??/\n*/",
    "a continued line": "int toy_a\\\n;",
    "a trigraph": "int toy_a ??( 1 ??);",
    "a digraph": "int toy_a <: 1 :>;",
    "a comment in a comment": "/* /* */",
    "a comment of C++": "// toy",
    "a character": "static const int é = 1;",
    "a mark of direction": "/* \N{RIGHT-TO-LEFT OVERRIDE} */",
    "a form feed": "\f",
    "a tab": "\tint toy_a;",
    "a quote": "static const int toy_a = 'a';",
    "an indented directive": "  #define TOY_A 1",
    "a spaced directive": "# define TOY_A 1",
    "undef": "#undef TOY_WORD_BITS",
    "line": "#line 7",
    "include_next": "#include_next <stdint.h>",
    "another header": "#include <math.h>",
    "a missing header": '#include "other.h"',
    "a computed header": "#include TOY_HEADER",
    "a pragma": "#pragma STDC FENV_ACCESS ON",
    "a pragma as an operator": '_Pragma("STDC FENV_ACCESS ON")',
    "a pragma of Microsoft": "__pragma(optimize)",
    "an open string": 'static const char *toy_a = "',
    "an optimisation": '#pragma GCC optimize("fast-math")',
    "a macro of another": "#define memcpy(a, b, c) 0",
    "a keyword": "#define if(x) while (x)",
    "a type": "#define uint64_t uint32_t",
    "another system": "#ifdef __linux__\n#endif",
    "assertions": "#if !defined(NDEBUG)\n#endif",
    "a part of the instruction set": "#if defined(__AVX2__)\n#endif",
    "a condition without a prefix": "#ifdef PORTABLE\n#endif",
    "a condition of another prefix": "#ifdef OTHER_PORTABLE\n#endif",
    "an unknown condition of our own": "#ifdef TOY_FAST\n#endif",
    "a version": "#if __STDC_VERSION__ > 199901L\n#endif",
}
RUST = {
    "a comment of C": "/* a comment */",
    "a nested comment": "/* /* */ */",
    "a character": "fn é() {}",
    "a mark of direction": "// \N{RIGHT-TO-LEFT OVERRIDE}",
    "a tab": "\tfn toy_a() {}",
    "another machine": '#[cfg(target_arch = "wasm32")]\nfn toy_a() {}',
    "another system": "#[cfg(unix)]\nfn toy_a() {}",
    "assertions": "#[cfg(debug_assertions)]\nfn toy_a() {}",
    "assertions in an expression": "fn toy_a() -> bool { cfg!(debug_assertions) }",
    "an unknown feature": '#[cfg(feature = "fast")]\nfn toy_a() {}',
    "a condition that is denied": '#[cfg(not(feature = "fast"))]\nfn toy_a() {}',
    "a conditional attribute": '#[cfg_attr(target_os = "linux", inline)]\nfn toy_a() {}',
    "a feature of the processor": '#[cfg(target_feature = "avx2")]\nfn toy_a() {}',
    "an attribute of the linker": "#[no_mangle]\npub fn toy_a() {}",
    "an attribute of targets": '#[target_feature(enable = "avx2")]\nfn toy_a() {}',
    "a macro": "macro_rules! assert { () => {} }",
    "another file": 'include!("other.rs");',
    "the environment": 'const TOY_A: &str = env!("HOME");',
    "a condition after a space": "#[cfg (unix)]\nfn toy_a() {}",
    "a condition in brackets": "fn toy_a() -> bool { cfg![unix] }",
    "an attribute after a space": "# [no_mangle]\npub fn toy_a() {}",
    "a macro after a space": 'include !("other.rs");',
    "text between two strings": 'const A: &str = "\n"; #[cfg(unix)] fn a() {} const B: &str = "\n";',
    "text between two quotes": "const A: char = '\"'; /* a comment */ const B: char = '\"';",
    "a raw string": 'const TOY_A: &str = r"\\";',
    "another crate": "extern crate std;",
    "a foreign function": 'extern "C" fn toy_a() {}',
    "assembler": 'fn toy_a() { core::arch::asm!("nop") }',
}


def cases():
    yield from (pytest.param("c", "toy.h", text, id=f"C: {name}") for name, text in C.items())
    yield from (pytest.param("rust", "src/field.rs", text, id=f"Rust: {name}") for name, text in RUST.items())


@pytest.mark.drawn(9)
@pytest.mark.parametrize(("language", "file", "text"), [*cases()])
def test_text_that_no_reader_knows_is_refused(language, file, text):
    files, readback = printed(language)
    lines = files[file].split("\n")
    at = [number for number, line in enumerate(lines) if line == "}"][-1] + 1
    edited = {**files, file: "\n".join([*lines[:at], text, *lines[at:]])}
    found = [difference for difference in readback.differences(edited) if difference.function == file]
    assert found
    assert [name for name, _ in foreign(edited, {"toy"})] == [file]


@pytest.mark.parametrize("language", ["c", "rust"])
def test_printed_files_are_in_the_closed_world(language):
    files, readback = printed(language)
    assert not readback.differences(files)
    assert not list(foreign(files, {"toy"}))


def test_each_condition_has_a_meaning():
    assert all(CONDITIONS.values())
    assert all(OWN_CONDITIONS.values())
