"""The command, under the name of sacreBLEU's module."""

import sys


def main() -> None:
    """Run the command with the arguments of this process."""
    from tertium.compat.sacrebleu.program import main as run

    run(sys.argv[1:])
