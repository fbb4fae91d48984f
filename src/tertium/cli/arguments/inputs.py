"""Systems, references and metrics of a command line, read and scored."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments.options import THREADS, Choice, ChoiceOption, options
from tertium.cli.arguments.resegmented import resegment_options, resegmented
from tertium.cli.output.progress import Progress, ScoringProgress, warner
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.corpus.parallel import Block
    from tertium.corpus.readers import TextFile
    from tertium.metrics import Metric
    from tertium.scoring.scores import Scores

DEFAULT_METRICS = ("bleu", "chrf", "ter")
_LONG_WORDS = 5  # characters a word on average; where words have no blanks between them, those found are shorter
_ENGLISH = frozenset(("the", "of", "and", "that", "with", "this", "from", "by", "which", "have", "it", "not"))
_BLOCK = 32_768


@dataclass(frozen=True)
class Inputs:
    """What was named on the command line."""

    systems: Sequence[str]
    references: Sequence[str]
    refs_dir: str | None
    metrics: Sequence[str]
    documents: str | None
    kind: str | None
    language: str | None
    threads: int | None
    quiet: bool
    source: str | None = None
    test_set: str | None = None
    origlang: str | None = None
    subset: str | None = None
    resegment: str | None = None
    hyp_documents: str | None = None


def input_options(
    *, required: bool = True, metrics: str = f"repeat for more (default: {', '.join(DEFAULT_METRICS)})",
    metavar: str = "HYP...",
) -> Callable[[Any], Any]:  # fmt: skip
    """Add HYP… and the options that say what it is scored against, and by what."""
    return options(
        click.argument("systems", nargs=-1, required=required, metavar=metavar),
        click.option("-r", "--reference", "references", multiple=True, metavar="REF",
                     help="A reference; repeat for more."),
        click.option("--refs-dir", metavar="DIR", help="A directory in which every file is a reference."),
        click.option("-t", "--test-set", metavar="SET",
                     help="Instead of -r: a test set by name, of the pair that -l names (see: tertium testsets)."),
        click.option("--origlang", metavar="LANG",
                     help="With -t: only what was first written in this language; non-LANG for all others."),
        click.option("--subset", metavar="REGEX", help="With -t wmt18, wmt19: only documents like this (US, sport …)."),
        click.option("-m", "--metric", "metrics", multiple=True, metavar="METRIC",
                     help=f"[NAME=]metric[:key=value,…]; {metrics}."),
        click.option("--documents", metavar="FILE", help="A file with one document id per segment."),
        click.option("--input-format", "kind", type=Choice("tertium.corpus.formats:KINDS"), metavar="KIND",
                     cls=ChoiceOption, help="What HYP and REF are: {} (default: by suffix and content)."),
        click.option("-l", "--language", metavar="LANG",
                     help="Target language or pair (ja, zh-Hant, en-de): sets what -m leaves open."),
        resegment_options,
        THREADS,
    )  # fmt: skip


def parsed_metrics(
    texts: Sequence[str], language: str | None, warn: Callable[[str], None] = lambda message: None
) -> "dict[str, Metric]":
    """Return metrics under the names or texts that the user gave; a language sets what a text does not."""
    from tertium.metrics import parse_metric
    from tertium.metrics.names import split_label
    from tertium.text.languages import target_language

    target = None if language is None else target_language(language)
    metrics: dict[str, Metric] = {}
    for label, text in map(split_label, texts or DEFAULT_METRICS):
        if label in metrics:
            raise InputError(f"The metric {label} was given twice.")
        metric = parse_metric(text, language=language)
        if metric.takes_tokens:
            raise InputError(f"{label} takes lists of tokens, which files do not hold. Use tokenize=blank or none.")
        if target is not None and (missing := metric.shortcoming(target)):
            warn(f"{label} {missing}")
        metrics[label] = metric
    return metrics


def metrics_for(inputs: Inputs) -> "dict[str, Metric]":
    """Return the metrics of a command line as they read its files.

    mteval's international tokenization splits punctuation off at the end of a segment where a blank follows. SGML and
    XML files have that blank or not, so there none is added.
    """
    from tertium.metrics.words import WordMetric

    metrics = parsed_metrics(inputs.metrics, inputs.language, warner(inputs.quiet))
    padded = {
        text: metric
        for text, metric in metrics.items()
        if isinstance(metric, WordMetric) and metric.tokenize == "mteval-intl"
    }
    if padded and _has_edges(inputs):
        metrics |= {text: replace(metric, tokenize="mteval-intl-bare") for text, metric in padded.items()}
    return metrics


def _has_edges(inputs: Inputs) -> bool:
    """Whether all files tell where a segment ends."""
    from tertium.cli.arguments.files import files_in
    from tertium.corpus.formats import kind_of, split_column, split_name

    if inputs.test_set is not None:
        return False
    paths = [*(split_name(argument)[1] for argument in inputs.systems), *inputs.references, *files_in(inputs.refs_dir)]
    return all((inputs.kind or kind_of(*split_column(path))) in ("sgml", "xml") for path in paths)


def tokenizer_for(language: str | None) -> str:
    """Return the tokenizer for a target language."""
    from tertium.text.languages import target_language

    return "13a" if language is None else target_language(language).tokenizer


def scored(
    inputs: Inputs, *, keep_rows: bool, need_documents: bool = False, metrics: "dict[str, Metric] | None" = None
) -> "Scores":
    """Read the files side by side and score them, block by block. Metrics are those named, unless they are given."""
    from tertium.scoring.loop import score_blocks

    metrics = metrics or metrics_for(inputs)
    blocks = read_blocks(inputs, metrics, need_documents=need_documents)
    return score_blocks(metrics, blocks, keep_rows=keep_rows, threads=inputs.threads)


def read_blocks(inputs: Inputs, metrics: "dict[str, Metric]", *, need_documents: bool = False) -> "Iterator[Block]":
    """Read the files side by side, telling of progress and of texts that may not be what these metrics take."""
    from tertium.corpus.formats import open_source
    from tertium.corpus.parallel import parallel_blocks
    from tertium.corpus.readers import LineFile
    from tertium.files.ahead import ahead

    warn = warner(inputs.quiet)
    source = None
    if inputs.test_set is None:
        systems, references, documents = _opened(inputs, warn)
    else:
        systems, references, documents, source = _opened_with_test_set(inputs, warn)
    for label, metric in metrics.items():
        if idle := getattr(metric, "idle_modules", ()):  # METEOR's, as in its program
            warn(
                f"{label}: METEOR's task '{getattr(metric, 'task', '')}' has no weight for the module "
                f"{' and '.join(idle)}, so what it matches counts nothing. Give weights, one for each of "
                f"{'+'.join(getattr(metric, 'modules', ()))}."
            )
    if inputs.source is not None:
        source = open_source(inputs.source, kind=inputs.kind, warn=warn)
    if need_documents and documents is None and all(file.ids is None for file in (*systems.values(), *references)):
        raise InputError("--level document needs document ids: add --documents FILE, with one id per segment.")
    cut = None
    if inputs.resegment is not None:
        cut = resegmented(
            systems, references, documents, method=inputs.resegment, hyp_documents=inputs.hyp_documents,
            language=inputs.language, threads=inputs.threads, warn=warn, quiet=inputs.quiet,
        )  # fmt: skip
        systems, references, documents = cut.systems, cut.references, cut.documents
    elif inputs.hyp_documents is not None:
        raise InputError("--hyp-documents is for --resegment METHOD, which is missing.")
    blocks = parallel_blocks(systems, references, documents, size=_BLOCK, warn=warn, source=source)
    files = [*systems.values(), *references, *(file for file in (documents, source) if file is not None)]
    if inputs.threads != 1 and all(isinstance(file, LineFile) and Path(file.path).is_file() for file in files):
        blocks = ahead(blocks)
    if cut is not None:
        blocks = cut.marked(blocks)
    if (progress := Progress(inputs.quiet)).wanted:
        blocks = ScoringProgress(progress, next(iter(systems.values()))).watching(blocks)
    for count, block in enumerate(blocks):
        if count == 0:
            warn_of_odd_text(block, metrics, warn)
        yield block


def _opened(inputs: Inputs, warn: Any) -> "tuple[dict[str, TextFile], list[TextFile], TextFile | None]":
    """Return the systems, the references and the document ids as files that can be read."""
    from tertium.cli.arguments.files import files_in, open_named_systems
    from tertium.corpus.formats import holds_references, open_references, split_column

    if [
        *(name.rpartition("=")[2] for name in inputs.systems),
        *inputs.references,
        inputs.documents,
        inputs.source,
    ].count("-") > 1:
        raise InputError("Standard input (-) can be only one of the files.")
    if inputs.origlang is not None or inputs.subset is not None:
        raise InputError("--origlang and --subset choose from a test set: name one with -t.")
    paths = [*inputs.references, *files_in(inputs.refs_dir)]
    if not paths:
        paths = [path for path in inputs.systems if holds_references(path, kind=inputs.kind)][:1]
    if not paths:
        raise InputError(
            "No reference was given. Add -r FILE, once per reference, or --refs-dir DIR, or a test set by name: -t SET "
            "-l PAIR."
        )
    for path in {*inputs.systems, *(name.partition("=")[2] for name in inputs.systems)} & set(paths):
        if split_column(path)[0] == path and not holds_references(path, kind=inputs.kind):
            warn(f"{path} is both a system and a reference.")
    systems = open_named_systems(inputs.systems, kind=inputs.kind, warn=warn)
    references = [file for path in paths for file in open_references(path, kind=inputs.kind, warn=warn)]
    documents = None
    if inputs.documents is not None:
        documents = open_references(inputs.documents, kind=None, warn=warn)[0]
    return systems, references, documents


def _opened_with_test_set(
    inputs: Inputs, warn: Any
) -> "tuple[dict[str, TextFile], list[TextFile], TextFile | None, TextFile | None]":
    """Return the systems; references, documents and source are those of a test set that has a name."""
    from tertium.cli.arguments.files import open_named_systems
    from tertium.corpus.formats import open_references
    from tertium.corpus.named.loading import Chosen, HeldLines, load, load_outputs
    from tertium.corpus.named.published import is_published

    if inputs.references or inputs.refs_dir:
        raise InputError(f"-t {inputs.test_set} brings its references: leave out -r and --refs-dir, or leave out -t.")
    if inputs.resegment is not None and (inputs.origlang or inputs.subset):
        raise InputError("--resegment cuts hypotheses for a whole test set: leave out --origlang and --subset.")
    progress = Progress(inputs.quiet)
    assert inputs.test_set is not None
    if is_published(inputs.test_set):
        return _opened_published(inputs, warn)
    found = load(inputs.test_set, inputs.language, origlang=inputs.origlang, subset=inputs.subset, say=progress.say)
    progress.clear()
    systems = open_named_systems(inputs.systems, kind=inputs.kind, warn=warn)
    if not inputs.systems:
        outputs = load_outputs(inputs.test_set, inputs.language, say=progress.say)
        systems = {name: HeldLines(name, lines) for name, lines in outputs.items()}
    documents: TextFile | None = None if found.documents is None else HeldLines(found.name, found.documents)
    if inputs.documents is not None:
        documents = open_references(inputs.documents, kind=None, warn=warn)[0]
    if not all(found.kept):
        systems = {name: Chosen(file, found.kept, found.name) for name, file in systems.items()}
        documents = Chosen(documents, found.kept, found.name) if inputs.documents and documents else documents
    references: list[TextFile] = [HeldLines(name, lines) for name, lines in found.references.items()]
    return systems, references, documents, HeldLines(found.name, found.source) if found.has_source else None


def _opened_published(
    inputs: Inputs, warn: Any
) -> "tuple[dict[str, TextFile], list[TextFile], TextFile | None, TextFile | None]":
    """Return the same of a test set in a folder or file; without systems, those that were published with it."""
    from tertium.cli.arguments.files import open_named_systems
    from tertium.corpus.formats import open_references, split_column, split_name
    from tertium.corpus.named.loading import HeldLines
    from tertium.corpus.named.published import published

    if inputs.origlang is not None or inputs.subset is not None:
        raise InputError(f"--origlang and --subset: nothing is known of the documents of {inputs.test_set}.")
    found = published(inputs.test_set or "", inputs.language, warn=warn)
    free = inputs.resegment is not None
    systems: dict[str, TextFile] = {}
    plain = []
    for argument in inputs.systems:
        name, path = split_name(argument)
        whole = split_column(path)[1] is None
        if whole and (
            path.endswith(".jsonl") if found.counts is not None else found.canary and inputs.kind in (None, "text")
        ):
            texts = found.output(path, warn=warn, free=free)
            assert texts is not None
            systems[name or Path(path).stem] = HeldLines(path, texts)
        else:
            plain.append(argument)
    systems |= open_named_systems(plain, kind=inputs.kind, warn=warn)
    if not inputs.systems:
        systems = {name: HeldLines(name, texts) for name, texts in found.outputs(warn=warn, free=free).items()}
    loaded = found.loaded
    documents: TextFile | None = None if loaded.documents is None else HeldLines(loaded.name, loaded.documents)
    if inputs.documents is not None:
        documents = open_references(inputs.documents, kind=None, warn=warn)[0]
    references: list[TextFile] = [HeldLines(name, lines) for name, lines in loaded.references.items()]
    return systems, references, documents, HeldLines(loaded.name, loaded.source)


def warn_of_odd_text(block: "Block", metrics: "dict[str, Metric]", warn: Any) -> None:
    """Say what the first references look like that these metrics, or this format, are not made for."""
    from tertium.text.tokenizers import mostly_unspaced

    sample = [block.references[i] for i in range(min(len(block), 200))]
    text = "\n".join(group[0] for group in sample if group)
    unspaced = mostly_unspaced(text)
    on_blanks = [label for label, metric in metrics.items() if unspaced and _finds_few_words(metric, text)]
    if on_blanks:
        split = "splits" if len(on_blanks) == 1 else "split"
        warn(
            f"The text is in a script without blanks (Han, kana, Thai, …), but {', '.join(on_blanks)} {split} words at "
            "blanks. Give the target language (-l zh, -l ja), or a setting such as bleu:tokenize=char."
        )
    words = text.lower().split()
    few = len(words) >= 100 and sum(word in _ENGLISH for word in words) < 0.04 * len(words)
    if (unspaced or few) and (english := [label for label, metric in metrics.items() if _takes_english(metric)]):
        warn(
            f"The text does not look English, but {', '.join(english)} matches words by English stems and synonyms. "
            "Give the target language, such as -l cs."
        )
    if any("\t" in text for group in sample for text in group):
        warn(
            "There are tabs in the references, which are read as they stand. If a tab separates several references "
            "of a segment, say --input-format tabs."
        )


def _finds_few_words(metric: "Metric", text: str) -> bool:
    """Whether a metric's words are as long as whole phrases are."""
    from tertium.metrics.composed import Composed

    if isinstance(metric, Composed):
        return any(_finds_few_words(part, text) for part in metric.parts_of)
    if metric.tokenizer is None:
        return False
    return len("".join(text.split())) > _LONG_WORDS * len(metric.tokenizer(text.replace("\n", " ")))


def _takes_english(metric: "Metric") -> bool:
    """Whether a metric uses what was made for English alone."""
    english = ("english", "porter", "porter-revised")
    if getattr(metric, "language", None) == "en":
        return getattr(metric, "modules", ("exact",)) != ("exact",)
    return metric.name == "terp" and (getattr(metric, "stems", None) in english)


def warn_of_short_segments(scores: "Scores", warn: Any) -> None:
    """Say how many segments BLEU cannot tell apart."""
    for note in short_segments(scores).values():
        warn(note)


def short_segments(scores: "Scores") -> dict[str, str]:
    """Return, by metric, how many segments BLEU cannot tell apart, being too short for its highest order."""
    from tertium.metrics import BLEU

    notes: dict[str, str] = {}
    for label, metric in scores.metrics.items():
        if not isinstance(metric, BLEU) or metric.effective_order or metric.smoothing in ("add-k", "mteval"):
            continue
        highest = metric.columns.index(f"totals_{max(metric.orders)}")
        short = max(int((rows[label][:, highest] == 0).sum()) for rows in (scores.kept_rows or {}).values())
        if short:
            segments = "1 segment is" if short == 1 else f"{short:,} segments are"
            scoring = "scores 0 whatever it says" if short == 1 else "score 0 whatever they say"
            notes[label] = (
                f"{label}: {segments} shorter than {max(metric.orders)} tokens and "
                f"{scoring}. For segment scores add effective_order=true."
            )
    return notes
