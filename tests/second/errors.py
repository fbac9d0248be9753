"""Refusals of the second reader: text that it does not know, and behaviour that no language defines."""


class RefusedError(Exception):
    """Text of a kind that the reader does not know, or that does not compile."""


class UndefinedError(Exception):
    """An operation without a defined result: an overflow, a wide shift, an unset value, a wrong index."""
