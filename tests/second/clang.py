"""Binding of libclang: C files as trees with types, and what its Python package leaves out."""

from __future__ import annotations

import ctypes
from functools import cache

from clang import cindex
from clang.cindex import Cursor, SourceRange

from second.errors import RefusedError
from second.headers import FOLDER, HEADERS

# In the order of libclang's enumerations CXBinaryOperatorKind and CXUnaryOperatorKind.
_BINARY = (
    *("", ".*", "->*", "*", "/", "%", "+", "-", "<<", ">>", "<=>", "<", ">", "<=", ">=", "==", "!="),
    *("&", "^", "|", "&&", "||", "=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|=", ","),
)
_UNARY = ("", "x++", "x--", "++x", "--x", "&", "*", "+", "-", "~", "!", "real", "imag", "extension", "await")

# Warnings about text that means different things to different compilers, or nothing defined.
_ERRORS = (
    *("unsequenced", "uninitialized", "return-type", "implicit-function-declaration", "int-conversion"),
    *("incompatible-pointer-types", "incompatible-pointer-types-discards-qualifiers", "shift-count-overflow"),
    *("ignored-attributes", "unknown-attributes", "undefined-inline", "comment"),
)
_LANGUAGE = ("-x", "c", "-std=c99")
CPLUSPLUS = ("-x", "c++", "-std=c++11")
"""Arguments that have a file read as C++, not as C."""

_OPTIONS = ("-ffreestanding", "-nostdinc", f"-isystem{FOLDER}", "-Wno-everything")


class _Ranges(ctypes.Structure):
    _fields_ = (("count", ctypes.c_uint), ("ranges", ctypes.POINTER(SourceRange)))


_SIGNATURES = {
    "clang_getCursorBinaryOperatorKind": ([Cursor], ctypes.c_int),
    "clang_getCursorUnaryOperatorKind": ([Cursor], ctypes.c_int),
    "clang_Cursor_getVarDeclInitializer": ([Cursor], Cursor),
    "clang_Cursor_Evaluate": ([Cursor], ctypes.c_void_p),
    "clang_EvalResult_getKind": ([ctypes.c_void_p], ctypes.c_int),
    "clang_EvalResult_isUnsignedInt": ([ctypes.c_void_p], ctypes.c_uint),
    "clang_EvalResult_getAsUnsigned": ([ctypes.c_void_p], ctypes.c_ulonglong),
    "clang_EvalResult_getAsLongLong": ([ctypes.c_void_p], ctypes.c_longlong),
    "clang_EvalResult_dispose": ([ctypes.c_void_p], None),
    "clang_getTranslationUnitTargetInfo": ([cindex.TranslationUnit], ctypes.c_void_p),
    "clang_TargetInfo_getPointerWidth": ([ctypes.c_void_p], ctypes.c_int),
    "clang_TargetInfo_dispose": ([ctypes.c_void_p], None),
    "clang_getAllSkippedRanges": ([cindex.TranslationUnit], ctypes.POINTER(_Ranges)),
    "clang_disposeSourceRangeList": ([ctypes.POINTER(_Ranges)], None),
}


@cache
def library() -> ctypes.CDLL:
    """Return libclang with the signatures of the functions that its package leaves out."""
    found = cindex.conf.lib
    for name, (arguments, result) in _SIGNATURES.items():
        function = getattr(found, name)
        function.argtypes, function.restype = arguments, result
    return found


def parse(files: dict[str, str], root: str, arguments: list[str]) -> cindex.TranslationUnit:
    """Return the tree of a file that may include the others; ``arguments`` name the target and macros."""
    unsaved = [(f"/src/{name}", text) for name, text in files.items() if name.endswith((".h", ".c"))]
    unsaved += [(f"{FOLDER}/{name}", text) for name, text in HEADERS.items()]
    return cindex.Index.create().parse(
        f"/src/{root}",
        args=[
            *(() if CPLUSPLUS[1] in arguments else _LANGUAGE),
            *_OPTIONS,
            *(f"-Werror={name}" for name in _ERRORS),
            *arguments,
        ],
        unsaved_files=unsaved,
        options=cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD,
    )


def error(unit: cindex.TranslationUnit) -> str:
    """Return the first error of a parse, empty if there is none; of ``#error``, with that word."""
    for found in unit.diagnostics:
        if found.severity >= cindex.Diagnostic.Error:
            return f"{'#error ' if found.category_name == 'User-Defined Issue' else ''}{found.spelling}"
    return ""


def pointer_bits(unit: cindex.TranslationUnit) -> int:
    """Return the size of pointers on the target of a parse."""
    target = library().clang_getTranslationUnitTargetInfo(unit)
    try:
        return library().clang_TargetInfo_getPointerWidth(target)
    finally:
        library().clang_TargetInfo_dispose(target)


def skipped(unit: cindex.TranslationUnit) -> tuple[tuple[str, int, int], ...]:
    """Return the parts of the files that conditions leave out."""
    found = library().clang_getAllSkippedRanges(unit)
    ranges = found.contents.ranges[: found.contents.count]
    parts = tuple((f"{part.start.file}", part.start.offset, part.end.offset) for part in ranges)
    library().clang_disposeSourceRangeList(found)
    return parts


def binary_operator(cursor: Cursor) -> str:
    """Return the operator of an expression with two operands, an assignment's included."""
    return _BINARY[library().clang_getCursorBinaryOperatorKind(cursor)]


def unary_operator(cursor: Cursor) -> str:
    """Return the operator of an expression with one operand; x++ and ++x with their place."""
    return _UNARY[library().clang_getCursorUnaryOperatorKind(cursor)]


def initializer(variable: Cursor) -> Cursor | None:
    """Return the initial value of a variable, if it has one."""
    found = library().clang_Cursor_getVarDeclInitializer(variable)
    found._tu = variable._tu
    return None if found.kind.is_invalid() else found


def literal(cursor: Cursor) -> int:
    """Return the value of an integer literal."""
    found = library().clang_Cursor_Evaluate(cursor)
    try:
        if library().clang_EvalResult_getKind(found) != 1:
            raise RefusedError("a literal that is no integer")
        if library().clang_EvalResult_isUnsignedInt(found):
            return library().clang_EvalResult_getAsUnsigned(found)
        return library().clang_EvalResult_getAsLongLong(found)
    finally:
        library().clang_EvalResult_dispose(found)
