"""`tertium judgments`: what people said of translations, read, made comparable, added up, checked."""

import click

from tertium.cli.commands.judgments.raters import agreement, raters
from tertium.cli.commands.judgments.scores import aggregate, hter
from tertium.cli.commands.judgments.tables import forms, import_, info, normalize, pairs


class _Actions(click.Group):
    """Knows both spellings of one action."""

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        return super().get_command(context, "normalize" if name == "normalise" else name)


@click.group(
    "judgments", cls=_Actions, commands=[import_, info, normalize, pairs, forms, aggregate, agreement, raters, hter]
)
def command() -> None:
    """Read human judgments, make raters comparable, add scores up, measure agreement.

    FILE is a table (TSV, CSV, JSON lines, Parquet) with the columns system and score and, if there are any, document,
    segment, rater, kind and count; a study of tertium annotate; what Appraise, Pearmut, PET, Marot or WMT write (see:
    tertium judgments forms); or a folder in mt-metrics-eval's layout.

    \b
    Examples:
      tertium judgments info judgments.tsv
      tertium judgments import mqm_newstest2021_ende.tsv --output judgments.tsv
      tertium judgments normalize judgments.tsv --method z | tertium judgments aggregate -
      tertium judgments agreement judgments.tsv
    """
