"""`tertium sacrebleu -t …`: to the byte what sacreBLEU prints, on the same archives."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec

import pytest

from corpus import named_archives
from tertium.corpus.named import catalogue

# System files: a is near the references, b and c differ; n is as long as each set is.
LINES = """\
-t wmt18 -l de-en --echo src
-t wmt18 -l de-en --echo ref
-t wmt18 -l de-en --echo src ref docid
-t wmt18 -l de-en --echo all
-t wmt18,wmt19 -l de-en --echo src ref
-t wmt18 -l de-en --echo src -ol en
-t wmt18 -l de-en --echo src -ol non-en
-t wmt18 -l de-en --echo src --subset US
-t wmt18 -l de-en --echo src --subset country:US
-t wmt18 -l de-en --echo ref --subset sport|crime -ol en
-t wmt18 -l de-en --echo src -ol zz
-t wmt20/tworefs -l de-en --echo ref
-t wmt20/tworefs -l de-en --echo ref:1 ref:0 src
-t wmt22 -l de-en --echo all
-t wmt22 -l de-en --echo Second ref ref:A origlang
-t wmt21/dev -l en-ha --echo ref
-t mtedx/test -l el-en --echo src ref
-t mtnt2019 -l en-fr --echo src ref
-t wmt20/robust/set1 -l en-de --echo all
-t multi30k/2018 -l en-fr --echo src ref
-t iwslt17 -l en-de --echo all
-t wmt19/google/ar -l en-de --echo all
-t wmt18 --list
-t wmt20/tworefs --list
-t wmt22 -l de-en --list
-t mtedx/test --list
-t wmt18 -l de-en -i a
-t wmt18 -l de-en -i a -f text
-t wmt18 -l de-en -i a b -f text -m bleu chrf ter
-t wmt18 -l de-en -i a -m bleu chrf ter -w 4 -b
-t wmt18 -l de-en -i a -sl -f text
-t wmt18 -l de-en -i a -ci -f text
-t wmt18 -l de-en -i a -ol non-en -f text
-t wmt18 -l de-en -i a --subset US -f text -d
-t wmt18 -l de-en -i a -d
-t wmt18 -l de-en -i a -d -m chrf ter -w 2
-t wmt20 -l de-en -i a -d
-t wmt18,wmt20 -l de-en -i aa -f text
-t wmt20/tworefs -l de-en -i a -m bleu chrf ter -f text
-t wmt22 -l en-zh -i b -f text
-t wmt22 -l de-en -i a -ol en
-t wmt21/dev -l en-ha -i c -m chrf
-t mtedx/test -l el-en -i a -f text -d
-t mtnt2019 -l en-fr -i b -lc -tok intl -f text
-t iwslt17 -l en-de -i c -s floor -sv 0.5 -f text
-t wmt19/google/ar -l en-de -i a -f latex -m bleu chrf
-t wmt18 -l de-en -i short
-t wmt18 -l xx-yy -i a
-t wmt99 -l de-en -i a
-t wmt18 -i a
"""


def plain(text):
    return re.sub(r'(version:|"version": ")2\.6\.0[^|" ]*', r"\1V", text)


@pytest.fixture
def sets(tmp_path, monkeypatch):
    """A mirror with archives, a catalogue with their checksums, and the outputs of systems."""
    made = named_archives.archives()
    named_archives.mirror(made, tmp_path / "mirror")
    known = named_archives.patched(named_archives.checksums(made))
    monkeypatch.setattr(catalogue, "_catalogue", lambda: known)
    monkeypatch.setenv("TERTIUM_MIRROR", str(tmp_path / "mirror"))
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "ours"))
    texts = ["r " + text.replace("&amp;", "&") for text in named_archives.TEXTS]
    systems = {"a": texts, "b": [text.replace("the", "a") for text in texts], "c": texts[::-1], "aa": texts * 2}
    for name, lines in {**systems, "short": texts[:3]}.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    return named_archives.written(made, tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(find_spec("sacrebleu") is None, reason="sacreBLEU is not installed")
def test_prints_what_sacrebleu_prints(tertium, sets, tmp_path):
    lines = [shlex.split(line) for line in LINES.splitlines()]
    assert len(lines) >= 40
    environment = {**os.environ, "SACREBLEU": str(tmp_path / "theirs"), "NO_COLOR": "1"}
    said = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", named_archives.ORIGINAL, tmp_path / "mirror", sets],
        input=json.dumps(lines), capture_output=True, text=True, env=environment, cwd=tmp_path, check=True,
    )  # fmt: skip
    for line, (code, out) in zip(lines, json.loads(said.stdout), strict=True):
        found = tertium("sacrebleu", *line)
        assert (plain(found.out), found.code) == (plain(out), code), (line, found.err)
    # What sacreBLEU has fetched is used as it is, and the other way round: neither has to fetch again.
    shutil.rmtree(tmp_path / "mirror")
    for folder, other in (("theirs", "ours"), ("ours", "theirs")):
        environment = {**os.environ, "SACREBLEU": str(tmp_path / folder)}
        said = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", named_archives.ORIGINAL, tmp_path / "mirror", sets],
            input=json.dumps(lines[:22]), capture_output=True, text=True, env=environment, cwd=tmp_path, check=True,
        )  # fmt: skip
        os.environ["SACREBLEU"] = str(tmp_path / folder)
        for line, (code, out) in zip(lines[:22], json.loads(said.stdout), strict=True):
            found = tertium("sacrebleu", *line)
            assert (found.out, found.code) == (out, code), (folder, other, line, found.err)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("-t wmt18 -l de-en -i short", "short has 3 segments, but wmt18 de-en has 6"),
        ("-t wmt18 -l de-en -i short -ol en", "short has 3 segments, but wmt18 de-en has 6"),
        ("-t wmt99 -l de-en --echo src", "No test set is called 'wmt99'. Did you mean"),
        ("-t wmt18 -l xx-yy --echo src", "No language pair of wmt18 is called 'xx-yy'"),
        ("-t wmt18 --echo src", "needs a language pair"),
        ("-t wmt18 -l de-en --echo nonsense", "No field of wmt18 de-en is called 'nonsense'"),
        ("-t wmt20 -l de-en --echo src --subset US", "nothing is known of the documents of wmt20"),
        ("-t wmt18 -l de-en --echo src --subset (", "no regular expression"),
        ("-t mtedx/test -l el-en --echo src -ol el", "--origlang needs documents"),
        ("-t wmt18,wmt20/tworefs -l de-en -i aa", "numbers of references differ"),
        ("a -t wmt18 -l de-en -i a", "Both -t wmt18 and a are given"),
        ("a -i a -ol en", "name one with -t"),
        ("--echo src", "No test set was named"),
        ("--download wmt18", "needs a language pair"),
        ("--cite", "No test set was named"),
    ],
)
def test_what_is_refused(tertium, sets, arguments, reason):
    result = tertium("sacrebleu", *shlex.split(arguments))
    assert (result.code, result.out) == (1, "")
    assert reason in result.err


def test_lists_all_sets_with_descriptions_of_our_own(tertium):
    lines = tertium("sacrebleu", "--list").out.splitlines()
    assert len(lines) == 1 + 67
    assert lines[1].startswith("iwslt17                       : ")
    assert len(tertium("sacrebleu", "--list", "-l", "ps-en").out.splitlines()) == 2


def test_cites_the_paper(tertium):
    assert "title = {Findings of the 2020" in tertium("sacrebleu", "-t", "wmt20", "--cite").out
