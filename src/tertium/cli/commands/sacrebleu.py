"""`tertium sacrebleu`: hands everything behind the word to the stand-in for sacreBLEU's command, which reads it."""

from typing import Any

import click


class _Untouched(click.Command):
    """Leaves its arguments alone, `-h` and `--` included."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        context.args = list(args)
        return context.args

    def invoke(self, context: click.Context) -> Any:
        from tertium.compat.sacrebleu.program import main

        main(context.args)


command = _Untouched("sacrebleu", help="Score with sacreBLEU's options and output.")
