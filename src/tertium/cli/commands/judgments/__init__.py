"""`tertium judgments`: what people said of translations, read, made comparable, added up, checked."""

import click

from tertium.cli.commands.judgments.raters import agreement, raters
from tertium.cli.commands.judgments.scores import aggregate, hter
from tertium.cli.commands.judgments.tables import forms, import_, info, normalise, pairs


@click.group("judgments", commands=[import_, info, normalise, pairs, forms, aggregate, agreement, raters, hter])
def command() -> None:
    """Read human judgments, make raters comparable, add scores up, measure agreement.

    FILE is a table (TSV, CSV, JSON lines, Parquet) with the columns system and score and, if there are any, document,
    segment, rater, kind and count; a study of tertium annotate; what Appraise, Pearmut, PET, Marot or WMT write (see:
    tertium judgments forms); or a folder in mt-metrics-eval's layout.

    \b
    Examples:
      tertium judgments info judgments.tsv
      tertium judgments import mqm_newstest2021_ende.tsv --output judgments.tsv
      tertium judgments normalise judgments.tsv --method z | tertium judgments aggregate -
      tertium judgments agreement judgments.tsv
    """
