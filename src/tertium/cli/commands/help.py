"""`tertium help WORD`: which command is for what a person has in mind."""

import re
import textwrap
from collections.abc import Iterator
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click

from tertium.cli.main import COMMANDS, SETTINGS
from tertium.errors import UnknownNameError

# What people call it who do not know our names; other words are looked for in help texts.
_WORDS = {
    "score": "evaluate evaluation quality BLEU chrF TER WER METEOR NIST metric corpus sentence segment document",
    "align": "alignment edits errors diff highlight shifts tercom visualise visualize HTML picture",
    "compare": "significance significant p-value bootstrap randomization resampling difference better A/B paired "
    "HTML report page picture chart plot",
    "score --confidence": "confidence interval error bars",
    "gate": "regression CI continuous integration ship release threshold baseline",
    "correlate": "correlation meta-evaluation Pearson Spearman Kendall human WMT metrics task accuracy "
    "report chart plot picture",
    "rank": "meta-evaluation WMT metrics task best metric permutation cluster report chart plot picture",
    "annotate": "annotation human evaluation collect DA ESA MQM SQM Appraise Pearmut crowd survey",
    "judgments": "human DA MQM ESA ratings WMT Appraise z-score",
    "judgments agreement": "agreement kappa alpha Krippendorff Cohen Fleiss reliability inter-annotator raters",
    "judgments aggregate": "ranking of systems clusters leaderboard WMT",
    "judgments hter": "HTER post-edit post-editing effort",
    "tune": "optimize optimise train parameters weights fit",
    "orange": "ORANGE n-best oracle",
    "mbr": "MBR decoding minimum Bayes risk rerank reranking candidates samples",
    "best": "best-of-n oracle rerank reranking candidates rejection",
    "pairwise": "similarity diversity duplicates self-BLEU matrix",
    "paraphrases": "paraphrase pivot phrase table",
    "resources": "WordNet stemmer synonyms install download METEOR jar",
    "metrics": "settings options tokenizer list",
    "explain": "signature reproduce reproducibility settings",
    "sacrebleu": "sacreBLEU drop-in migrate",
    "resegment": "speech segmentation mwerSegmenter mweralign alignment of segments",
    "latency": "simultaneous streaming delay lag",
    "testsets": "WMT newstest download test set dataset",
    "merge": "shards cluster Spark distributed",
    "shared-task": "WMT findings paper tables",
    "demo": "example start tutorial",
}


@click.command("help")
@click.argument("words", nargs=-1, metavar="[WORD]...")
def command(words: tuple[str, ...]) -> None:
    """Find the command for a word, such as significance, WMT or agreement; or show a command's help.

    \b
    Examples:
      tertium help
      tertium help significance
      tertium help score
    """
    from tertium.cli.group import tertium

    if not words:
        tertium.main(["--help"], prog_name="tertium", standalone_mode=False)
        return
    known = dict(_commands())
    name = " ".join(words)
    if name == "sacrebleu":
        from tertium.compat.sacrebleu.program import main as sacrebleu

        sacrebleu(["--help"])
        return
    if name in known:
        settings: dict[str, Any] = dict(SETTINGS)
        known[name].main(["--help"], prog_name=f"tertium {name}", standalone_mode=False, **settings)
        return
    found = [one for one, said in _WORDS.items() if _names(said, name)]
    found = found or [one for one, each in known.items() if _names(_said_by(each), name)]
    if not found:
        raise UnknownNameError(f"No command is known for '{name}'.{_meant(name)} To see all: tertium help.")
    width = max(map(len, found))
    for one in found:
        line = COMMANDS.get(one) or _first_sentence(known[one.split(" --")[0]])
        click.echo(textwrap.fill(f"tertium {one:<{width}}  {line}", 80, subsequent_indent=" " * (width + 10)))
    click.echo("\nExamples: tertium COMMAND --help")


def _meant(name: str) -> str:
    """Return the word that was probably meant, as a question."""
    every = {word.lower(): word for words in (*_WORDS.values(), *COMMANDS) for word in words.split()}
    near = get_close_matches(name.lower(), every, 1)
    return f" Did you mean '{every[near[0]]}'?" if near else ""


def _commands() -> Iterator[tuple[str, click.Command]]:
    """Return every command, and every action of those that have several."""
    for name in COMMANDS:
        if name == "sacrebleu":  # which is no command of click's
            continue
        one: click.Command = import_module(f"tertium.cli.commands.{name.replace('-', '_')}").command
        yield name, one
        for action, each in one.commands.items() if isinstance(one, click.Group) else ():
            yield f"{name} {action}", each


def _said_by(each: click.Command) -> str:
    helps = [option.help or "" for option in each.params if isinstance(option, click.Option)]
    return " ".join([each.help or "", *helps])


def _first_sentence(each: click.Command) -> str:
    paragraph = (each.short_help or each.help or "").strip().partition("\n\n")[0]
    return re.split(r"(?<=[.:]) ", " ".join(paragraph.split()), maxsplit=1)[0]


def _names(text: str, words: str) -> bool:
    """Whether a text has all the words, however they are written: p-values are found by p-value."""
    return all(re.search(rf"(?<!\w){re.escape(word)}", text, re.IGNORECASE) for word in words.split())
