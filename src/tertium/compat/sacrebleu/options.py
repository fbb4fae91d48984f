"""The options of sacreBLEU's command line. The words that explain them are ours."""

import argparse
from typing import Any, NoReturn

from tertium.compat.sacrebleu.metrics.base import VERSION
from tertium.compat.sacrebleu.metrics.bleu import BLEU

HELP = """\
Usage: tertium sacrebleu REF… [-i SYSTEM…] [OPTIONS]

  Score as sacreBLEU 2.6 does, with its options and its output, faster.

  References come before -i. Without -i, standard input is scored; tabs in it separate systems.

  Examples:
    tertium sacrebleu reference.txt -i system.txt -m bleu chrf ter
    tertium sacrebleu reference.txt -i a.txt b.txt -m bleu chrf -f text
    tertium sacrebleu ref1.txt ref2.txt -b -w 2 < system.txt
    tertium sacrebleu reference.txt -i system.txt -ci
    tertium sacrebleu -t wmt22 -l en-de -i system.txt
    tertium sacrebleu -t wmt22 -l en-de --echo src > source.txt

Input:
  -i, --input FILE…              Systems; several give a table.
  -nr, --num-refs N              The reference file holds N references per line, with tabs between them.
  -e, --encoding NAME            Of all files (default: utf-8). Files ending in .gz are decompressed.
  -l, --language-pair SRC-TRG    Picks the tokenizer: zh, ja-mecab, ko-mecab for those targets.

Test sets by name, kept where sacreBLEU keeps them (SACREBLEU, or ~/.sacrebleu); what is missing is downloaded:
  -t, --test-set NAME[,NAME…]    Score against this test set, of the pair that -l names.
  -ol, --origlang LANG           Only what was written in this language first; non-LANG for all others.
  --subset REGEX                 Only documents like this (wmt18, wmt19): US, sport, GB-politics …
  --echo FIELD…                  Print src, ref, ref:NAME, docid, a system, or all, with tabs between them.
  --list                         Show the test sets; with -t, its pairs and their fields.
  --download NAME                Fetch the pair that -l names, and quit.
  --citation, --cite             Print the paper to cite for -t.

Metrics:
  -m, --metrics NAME…            bleu, chrf, ter (default: bleu).
  -sl, --sentence-level          Score each segment; one metric, one system.
  -s, --smooth-method NAME       BLEU: exp, floor, add-k, none (default: exp).
  -sv, --smooth-value X          BLEU: of floor (default: 0.1) and add-k (default: 1).
  -tok, --tokenize NAME          BLEU: 13a, intl, zh, char, none, ja-mecab, ko-mecab, flores101 (spm), flores200,
                                 spBLEU-1K.
  -lc, --lowercase               BLEU: fold case.
  --force                        BLEU: do not warn of text that looks tokenized.
  -cc, --chrf-char-order N       chrF: longest character n-gram (default: 6).
  -cw, --chrf-word-order N       chrF: longest word n-gram (default: 0; 2 for chrF++).
  --chrf-beta N                  chrF: how many times as much recall weighs (default: 2).
  --chrf-whitespace              chrF: count blanks as characters.
  --chrf-lowercase               chrF: fold case.
  --chrf-eps-smoothing           chrF: as chrF++.py, NLTK and Moses do.
  --ter-case-sensitive           TER: keep case.
  --ter-asian-support            TER: split Asian characters; needs --ter-normalized.
  --ter-no-punct                 TER: remove punctuation.
  --ter-normalized               TER: normalize and tokenize.

Statistics:
  -ci, --confidence              95 % confidence by bootstrap resampling; one system.
  -cin, --confidence-n N         How many replicates (default: 1000).
  -par, --paired-ar              Paired approximate randomization; -parn, --paired-ar-n N trials (default: 10000).
  -pbs, --paired-bs              Paired bootstrap; -pbsn, --paired-bs-n N replicates (default: 1000).
  -j, --paired-jobs N            Taken, without effect: all cores are used anyway.

Output:
  -f, --format NAME              json, text, latex (default: json); SACREBLEU_FORMAT overrides it.
  -b, --score-only               The score alone.
  -w, --width N                  Decimals (default: 1).
  -sh, --short                   Short signatures.
  -q, --quiet                    No messages but warnings and errors.
  -d, --detail                   Text output; with -t also scores by language and subject.
  -nc, --no-color                No colours in paired tests; there are none but on a terminal.
  -V, --version                  Show the version.
  -h, --help                     Show this page.

  SACREBLEU_SEED sets the seed (default: 12345; none for a new one each time).
"""


class Parser(argparse.ArgumentParser):
    """Shows our help, and an error in two lines rather than after a page of usage."""

    def format_help(self) -> str:
        """Return the page above."""
        return HELP

    def error(self, message: str) -> NoReturn:
        """Leave with 2 for a malformed command line."""
        self.exit(2, f"Usage: tertium sacrebleu REF… [-i SYSTEM…] [OPTIONS]\nsacreBLEU: {message}. See -h.\n")


def parser() -> Parser:
    """Return what reads the command line."""
    # A width of its own keeps argparse from loading what finds out about the terminal.
    parser = Parser(prog="tertium sacrebleu", formatter_class=lambda prog: argparse.HelpFormatter(prog, width=100))
    add = parser.add_argument
    add("refs", nargs="*")
    _test_set_options(add)
    add("--input", "-i", nargs="*")
    add("--num-refs", "-nr", type=int, default=1)
    add("--encoding", "-e", default="utf-8")
    add("--language-pair", "-l")
    add("--metrics", "-m", nargs="+", choices=["bleu", "chrf", "ter"], default=["bleu"])
    add("--sentence-level", "-sl", action="store_true")
    _metric_options(add)
    add("--confidence", "-ci", action="store_true")
    add("--confidence-n", "-cin", type=int, default=1000)
    paired = parser.add_mutually_exclusive_group().add_argument
    paired("--paired-ar", "-par", action="store_true")
    paired("--paired-bs", "-pbs", action="store_true")
    add("--paired-ar-n", "-parn", type=int, default=10_000)
    add("--paired-bs-n", "-pbsn", type=int, default=1000)
    add("--paired-jobs", "-j", type=int, default=1)
    add("--quiet", "-q", action="store_true")
    add("--short", "-sh", action="store_true")
    add("--score-only", "-b", action="store_true")
    add("--width", "-w", type=int, default=1)
    add("--detail", "-d", action="store_true")
    add("--no-color", "-nc", action="store_true")
    add("--format", "-f", choices=["json", "text", "latex"], default="json")
    add("--version", "-V", action="version", version=f"sacrebleu {VERSION}")
    return parser


def _test_set_options(add: Any) -> None:
    add("--citation", "--cite", action="store_true")
    add("--list", action="store_true")
    add("--test-set", "-t")
    add("--origlang", "-ol")
    add("--subset")
    add("--download")
    add("--echo", nargs="+")


def _metric_options(add: Any) -> None:
    add("--smooth-method", "-s", choices=list(BLEU.SMOOTH_DEFAULTS), default="exp")
    add("--smooth-value", "-sv", type=float)
    add("--tokenize", "-tok", choices=list(BLEU.TOKENIZERS))
    add("--lowercase", "-lc", action="store_true")
    add("--force", action="store_true")
    add("--chrf-char-order", "-cc", type=int, default=6)
    add("--chrf-word-order", "-cw", type=int, default=0)
    add("--chrf-beta", type=int, default=2)
    add("--chrf-whitespace", action="store_true")
    add("--chrf-lowercase", action="store_true")
    add("--chrf-eps-smoothing", action="store_true")
    add("--ter-case-sensitive", action="store_true")
    add("--ter-asian-support", action="store_true")
    add("--ter-no-punct", action="store_true")
    add("--ter-normalized", action="store_true")
