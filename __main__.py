"""Run the command line with ``python -m efdgen``."""

from efdgen.cli import main

main()
