"""One flag, one meaning: what a flag is said to do is the same in every command, or stands here with the reason."""

import re

import click

from cli.test_choices import options
from tertium.cli.group import tertium as program

# The same thing, worded for what the command does with it.
WORDED = {
    "--alpha": "a level: p-values up to it are significant, and intervals are of 1 minus it",
    "--by-domain": "each domain by itself; shared-task writes tables and has no average",
    "--compare": "test every system against the first",
    "--confidence": "95 % bootstrap intervals; score also has documents",
    "--correction": "for several tests, which are by metric in compare and all together in rank",
    "--documents": "document ids, one per segment; what they are good for differs",
    "--group": "how points are grouped for a coefficient; correlate says it in full",
    "--hyp-documents": "document ids of a text that is cut anew",
    "--interval": "how intervals are made; the ways differ for scores and for coefficients",
    "--judgments": "files of judgments; what is read from them differs",
    "--judgments-format": "what such a file is",
    "--kind": "a kind of judgment; correlate takes several, rank one",
    "--language": "the target language, or the pair where a set has several",
    "--level": "of what there are scores: corpus (or system), document, segment",
    "--lower-is-better": "a metric, or a kind of judgment, that counts errors",
    "--metric": "metric[:key=value,…]; which and how many differ",
    "--output": "a file; its suffix is a format where there are several",
    "--plot": "a picture of what the command found",
    "--quiet": "no progress, no warnings; not all have both",
    "--reference": "references; what they are good for differs",
    "--report": "a page with what the command found",
    "--resegment": "how texts are cut to segments; latency always cuts",
    "--samples": "how many replicates or trials; of paraphrases, examples",
    "--scores": "scores of other programs",
    "--seed": "of whatever is random",
    "--segments": "the segments of recordings",
    "--source": "the source texts; what they are good for differs",
    "--tokenize": "what splits text into tokens",
    "--threads": "how many threads",
    "--unit": "what counts as one thing: what is drawn, or what has a time",
    "--url": "what links begin with",
    "--format": "how to print results; what there is differs",
    "--measure": "what is measured",
    "--method": "one of several ways to do what the command does",
    "--like": "do it as another program, or a year's task, does",
    "--test": "a test, of those that there are for scores or for metrics",
    "--protocol": "a protocol of annotation",
    "--layout": "of a table",
    "-l": "see --language; annotate takes pairs alone",
    "-m": "see --metric; latency has measures instead",
    "-r": "see --reference",
}
# Two meanings, which nobody can mix up, for one has no word that is as plain.
TWO_MEANINGS = {
    "--baseline": "gate compares with a file of stored scores, the others with a system",
    "--by": "score: a column that tells systems apart; annotate select: segments or documents",
    "--form": "annotate writes such a form, judgments reads it",
    "--keep": "the demos keep what they made, mbr keeps candidates",
    "--outliers": "rank leaves out the systems it names; judgments raters shows the raters that are odd",
    "--systems": "judgments aggregate takes files of them for its metric, the others names",
    "--tasks": "rank: a shared task's tasks; judgments: Appraise's own name for its batches",
    "--threshold": "of a coefficient, and of a scale",
    "--top": "paraphrases of a phrase, and pairs of lines",
    "--weights": "of segments, and of references in mbr",
    "--worst": "align shows so many of the worst segments, best takes the worst candidate",
}


def meanings():
    """Return what each flag is said to do, without defaults and choices, and where."""
    found = {}
    for where, option in options(program):
        if isinstance(option, click.Option) and option.help and not option.hidden:
            said = re.sub(r" ?\((default|if)[^)]*\)|[.,;:]", "", option.help).strip().lower()
            for name in option.opts:
                found.setdefault(name, {}).setdefault(said, []).append(where)
    return found


def test_a_flag_means_one_thing_or_the_reason_is_here():
    several = {name: said for name, said in meanings().items() if len(said) > 1}
    assert {name: said for name, said in several.items() if name not in WORDED | TWO_MEANINGS} == {}
    assert set(WORDED | TWO_MEANINGS) - set(several) == set()  # what is one by now needs no reason


def test_a_short_flag_is_short_for_one():
    long = {}
    for _, option in options(program):
        if isinstance(option, click.Option):
            for short in (name for name in option.opts if not name.startswith("--")):
                long.setdefault(short, set()).update(name for name in option.opts if name.startswith("--"))
    assert {short: names for short, names in long.items() if len(names) > 1} == {
        "-l": {"--language", "--languages"},  # of annotate, which needs both sides of a pair
        "-m": {"--metric", "--measure"},
    }


def test_scores_of_other_programs_need_no_texts(tertium, tmp_path):
    """--scores means the same with HYP and without."""
    systems = (("a", 1), ("b", 2))
    rows = [f"{name}\t{k}\tcomet\t{k * weight}\n" for name, weight in systems for k in range(1, 9)]
    (tmp_path / "scores.tsv").write_text("system\tsegment\tmetric\tscore\n" + "".join(rows))
    (tmp_path / "more.tsv").write_text("system\tsegment\tmetric\tscore\n" + "".join(rows).replace("comet", "bleurt"))
    human = [f"{name}\t{k}\tda\t{k + weight}\n" for name, weight in systems for k in range(1, 9)]
    (tmp_path / "human.tsv").write_text("system\tsegment\tkind\tscore\n" + "".join(human))
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text("".join(f"one two {name * k} three\n" for k in range(8)))
    (tmp_path / "ref.txt").write_text("one two aa three\n" * 8)
    scores = ["--scores", "scores.tsv", "--scores", "more.tsv", "--format", "json"]
    for call in (["compare"], ["correlate", "--judgments", "human.tsv"], ["rank", "--judgments", "human.tsv"]):
        for texts in ([], ["a.txt", "b.txt", "-r", "ref.txt", "-m", "chrf"]):
            result = tertium(*call, *texts, *scores)
            assert result.code == 0, result.err
            assert '"comet"' in result.out
            assert ('"chrf"' in result.out) == bool(texts)
