"""The command line. Each command imports only the modules that it needs, so that ``--help`` is fast."""

from __future__ import annotations

import gc
import logging
import os
import re
import signal
import sys
import traceback
from contextlib import contextmanager
from importlib import import_module
from threading import Timer
from typing import TYPE_CHECKING, NoReturn

import click

from efdgen.commands.everywhere import with_common_options
from efdgen.generator.errors import EfdgenError, MissingSageError, shortened, suggestion
from efdgen.generator.progress import say
from efdgen.generator.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

# Command: the module of efdgen.commands that has it, and its name there.
COMMANDS = {
    "bench": ("bench", "bench"),
    "certify": ("certify", "certify"),
    "check": ("check", "check"),
    "compile": ("compile", "compile_command"),
    "cost": ("cost", "cost"),
    "curves": ("curves", "curves"),
    "diff": ("diff", "diff"),
    "dump": ("dump", "dump"),
    "export": ("export", "export"),
    "field": ("field", "field"),
    "generate": ("generate", "generate"),
    "graph": ("graph", "graph"),
    "import": ("import_command", "import_command"),
    "list": ("list", "list_command"),
    "man": ("man", "man"),
    "new": ("new", "new"),
    "plan": ("plan", "plan"),
    "plot": ("plot", "plot"),
    "regenerate": ("generate", "regenerate"),
    "show": ("show", "show"),
    "site": ("site", "site"),
    "test": ("test", "test"),
    "tune": ("tune", "tune"),
    "verify": ("verify", "verify"),
}


GROUPS = {
    "Formulas": {
        "list": "List formulas by kind, cost, assumption or source",
        "show": "Show a formula, or what is proved of a curve",
        "check": "Prove or refute a formula of your own, and rank it",
        "verify": "Prove formulas of the database",
        "certify": "Write certificates for Rocq",
        "cost": "Count operations, in tables",
        "diff": "Compare two formulas",
        "graph": "Draw a formula's data flow",
        "dump": "Print a formula after a stage of the compiler",
        "new": "Write a template for a formula",
        "import": "Read a tree of the published database",
        "export": "Write the database as JSON, SQLite or LaTeX",
        "site": "Write the database as static pages",
    },
    "Code": {
        "curves": "List, show and check curves",
        "plan": "Compare methods of scalar multiplication",
        "compile": "Emit kernels, whole curves and protocols",
        "field": "Emit the arithmetic of a field",
        "generate": "Generate the files that efdgen.toml lists",
        "regenerate": "Generate files again, by their headers",
        "test": "Run emitted code on vectors",
    },
    "Measurements": {
        "bench": "Time a curve's operations on this machine",
        "plot": "Draw measurements",
        "tune": "Measure candidates, for faster code",
    },
    "Help": {"man": "Print manual pages"},
}
"""Commands as ``efdgen --help`` lists them, in 55 characters each."""

ALLOCATIONS = 20_000
"""Allocations before Python looks for reference cycles, of which programs and proofs have none."""

REFUSED = 2
DEFECTIVE = 70
"""The exit status after a defect in efdgen, from <sysexits.h>."""
INTERRUPTED = 128 + signal.SIGINT
UNREAD = 128 + signal.SIGPIPE


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let an interrupt end the command, in a destructor too, and silence destructors on the way out."""
    before, hook = signal.getsignal(signal.SIGINT), sys.unraisablehook

    def interrupt(number: int, frame: FrameType | None) -> None:
        sys.unraisablehook = _after_interrupt
        signal.default_int_handler(number, frame)

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if sys.exc_info()[0] is not KeyboardInterrupt:
            sys.unraisablehook = hook


def _after_interrupt(ignored: sys.UnraisableHookArgs) -> None:
    """Ignore partly built objects; interrupt again if Python dropped the interrupt."""
    if ignored.exc_type is KeyboardInterrupt:
        Timer(0.01, os.kill, (os.getpid(), signal.SIGINT)).start()


class _Commands(click.Group):
    """The commands, each imported on first use."""

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; an interrupt ends it with one line. Remove its user databases afterwards."""
        from efdgen.generator.formulas.layers import set_roots

        try:
            with _interruptible():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("efdgen: interrupted", err=True)
            ctx.exit(INTERRUPTED)
        except BrokenPipeError:
            _forget_output()
            ctx.exit(UNREAD)
        finally:
            set_roots(())

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line; refuse NUL characters, which no argument of the system can contain."""
        if any("\0" in each for each in args):
            raise click.UsageError("an argument contains a NUL character", ctx)
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; suggest similar ones if it does not exist."""
        if args[0] == "help" and (asked := args[1:2]) != ["help"]:
            if not asked:
                click.echo(ctx.get_help())
                ctx.exit()
            args = [*asked, "--help"]
        near = suggestion(args[0], COMMANDS)
        if near and args[0] not in COMMANDS:
            raise click.UsageError(f"No such command {args[0]!r}{near}", ctx)
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in groups."""
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([*commands.items()])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name]
        command: click.Command = getattr(import_module(f"efdgen.commands.{module}"), name)
        return with_common_options(command)


@click.group(
    cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, "-V", "--version", prog_name="efdgen")
def cli() -> None:
    """Compile elliptic-curve formulas: parse, prove, count, and emit C, Rust and Python kernels.

    \b
    Examples:
      efdgen verify                                  prove every built-in formula
      efdgen cost tables g1p/shortw/jacobian         print the cost of each formula
      efdgen compile --lang c --curve secp256k1      write kernels for a project

    \b
    Exit status:
      0    success: everything that was asked holds
      1    a check failed: a proof, a test, a comparison, or a file that is out of date
      2    refused: an invalid command line, or something that cannot be read, written, found or done
      70   a defect in efdgen, with a traceback to report
      130  interrupted
      141  the reader of standard output closed it
    """


with_common_options(cli)


def main() -> None:
    """Run the command line; errors and warnings are one line on standard error, defects a traceback."""
    gc.set_threshold(ALLOCATIONS)
    _listen()
    try:
        sys.exit(cli.main(prog_name="efdgen", standalone_mode=False))
    except click.exceptions.NoArgsIsHelpError as help_of:
        help_of.show()
        sys.exit(REFUSED)
    except click.ClickException as error:
        _say_error(_usage(error))
    except (EfdgenError, MissingSageError) as error:
        _say_error(shortened(str(error)))
    except (click.Abort, KeyboardInterrupt):
        click.echo("efdgen: interrupted", err=True)
        sys.exit(INTERRUPTED)
    except OSError as error:
        if error.filename is None:
            _forget_output()
        _say_error(shortened(f"{error.filename or 'standard output'}: {error.strerror}"))
    except Exception:
        traceback.print_exc()
        click.echo("efdgen: this is a defect in efdgen; please report it with the lines above", err=True)
        sys.exit(DEFECTIVE)


class _Listener(logging.Handler):
    """Prints log records on standard error: warnings with a prefix, notes unchanged."""

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        warning = record.levelno >= logging.WARNING
        say(f"efdgen: warning: {shortened(text)}" if warning else text)


def _listen() -> None:
    """Print notes and warnings, until an option changes the verbosity."""
    logger = logging.getLogger("efdgen")
    logger.setLevel(logging.INFO)
    if not any(isinstance(handler, _Listener) for handler in logger.handlers):
        logger.addHandler(_Listener())


def _usage(error: click.ClickException) -> str:
    """Return one line with the fault of a command line, and the help to read."""
    path = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "efdgen"
    message = re.sub(r"(?<=\().{61,}(?=\)$)", lambda found: f"{found[0][:59]}…", error.format_message())
    reason = shortened(" ".join(message.split())).rstrip(".")
    return f"{reason}; see {path} --help"


def _say_error(text: str) -> NoReturn:
    """Print an error, and exit."""
    click.secho("efdgen: ", fg="red", nl=False, err=True, color=False if os.environ.get("NO_COLOR") else None)
    click.echo(text, err=True)
    sys.exit(REFUSED)


def _forget_output() -> None:
    """Discard the rest of standard output, which Python flushes at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
