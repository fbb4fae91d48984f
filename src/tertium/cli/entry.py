"""Where the command `tertium` begins: click is loaded only for commands that need it, for it takes its time."""

import sys


def main() -> None:
    """Run `tertium sacrebleu` at once, any other command through click."""
    if sys.argv[1:2] == ["sacrebleu"]:
        from tertium.compat.sacrebleu.program import main as sacrebleu

        sacrebleu(sys.argv[2:])
    else:
        from tertium.cli.main import main as tertium

        tertium()
