"""Archives as test sets have them, made of our own sentences, and a catalogue whose checksums are theirs."""

import gzip
import hashlib
import io
import json
import tarfile
import zipfile
from dataclasses import replace
from pathlib import Path

from tertium.corpus.named import catalogue
from tertium.files.downloads import Remote

TEXTS = [
    "the ferry leaves from the old pier at seven.",
    "Nobody &amp; nothing   moved,  they said &quot;wait&quot;",
    "children play between the stones",
    "It rained for three days on the pass .",
    "Prices rose by 4.5 % in May (again)",
    "the minister did not answer",
]
# Documents that sacreBLEU knows something of in WMT 2018, and one that it does not.
DOCUMENTS = [
    ("rt.com.68098", "news", "en", [0, 1]),
    ("guardian.181611", "news", "de", [2]),
    ("bbc.310963", "sport", "en", [3]),
    ("unknown.doc", "other", "cs", [4, 5]),
]


def tar(files: dict[str, bytes]) -> bytes:
    """Return a .tar.gz with these files."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return data.getvalue()


def zipped(files: dict[str, bytes]) -> bytes:
    """Return a .zip with these files."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


def sgml(side: str, documents=DOCUMENTS) -> bytes:
    """Return a side of a test set as WMT published it until 2020."""
    text = f'<srcset setid="small" srclang="any">\n<!-- {side} -->\n'
    for name, genre, language, lines in documents:
        text += f'<doc sysid="ref" docid="{name}" genre="{genre}" origlang="{language}">\n<p>\n'
        text += "".join(f'<seg id="{k}">{side} {TEXTS[i]}\t</seg>\n' for k, i in enumerate(lines, 1))
        text += "</p>\n</doc>\n"
    return (text + "</srcset>\n").encode()


def xml() -> bytes:
    """Return a test set as WMT has published it since 2021: all sides and systems in one file."""
    text = '<?xml version="1.0" encoding="utf-8"?>\n<dataset id="small"><collection id="general">\n'
    for name, domain, language, lines in [*DOCUMENTS, ("suite", "odd", "de", [0, 4])]:
        suite = ' testsuite="odd"' if name == "suite" else ""
        text += f'<doc id="{name}" domain="{domain}" origlang="{language}"{suite}>\n'
        for tag, side in (
            ('src lang="de"', "s"), ('ref lang="en" translator="A"', "a"), ('hyp system="First" language="en"', "h"),
            ('hyp system="Second" language="en"', "k"),
        ):  # fmt: skip
            text += f"<{tag}><p>\n" + "".join(
                f'<seg id="{k}">{side} {TEXTS[i]}\n</seg>\n' for k, i in enumerate(lines, 1)
            )
            text += f"</p></{tag.split()[0]}>\n"
        text += "</doc>\n"
    return (text + "</collection></dataset>\n").encode()


def lines(side: str) -> bytes:
    """Return plain text."""
    return "".join(f"{side} {text}  \n" for text in TEXTS).encode()


def columns() -> bytes:
    """Return a table without a header: number, comment, source, translation."""
    return "".join(f"{i}\tnote\ts {text} \tr {text}\n" for i, text in enumerate(TEXTS)).encode()


def archives() -> dict[str, list[bytes]]:
    """Return the files of some test sets, in the order of the catalogue's addresses."""
    made = {
        "wmt18": [tar({"test/newstest2018-deen-src.de.sgm": sgml("s"), "test/newstest2018-deen-ref.en.sgm": sgml("r")})],
        "wmt22": [tar({f"wmt22-news-systems-1.1/xml/wmttest2022.{pair}.all.xml": xml() for pair in ("de-en", "en-zh")})],
        "wmt21/dev": [tar({"dev/xml/newsdev2021.en-ha.xml": xml().replace(b' translator="A"', b"")})],
        "mtedx/test": [tar({"test/mtedx-test-elen.el": lines("s"), "test/mtedx-test-elen.en": lines("r")})],
        "mtnt2019": [tar({"MTNT2019/en-fr.final.tsv": columns()})],
        "wmt20/robust/set1": [
            zipped({f"robustness20-3-sets/robustness20-set1-ende.{side}": lines(side) for side in ("en", "de")})
        ],
        "multi30k/2018": [
            tar({"test_2018_flickr.en": lines("s")}), *(gzip.compress(lines(f"r{n}"), mtime=0) for n in range(3)),
        ],
    }  # fmt: skip
    news = {"deen-src.de": "u", "deen-ref.en": "v", "ende-src.en": "s"}
    made["wmt19"] = [tar({f"sgm/newstest2019-{name}.sgm": sgml(side) for name, side in news.items()})]
    made["wmt19/google/ar"] = [*made["wmt19"], lines("r")]
    both = {
        "sgm/newstest2020-deen-src.de.sgm": sgml("s"),
        "sgm/newstest2020-deen-ref.en.sgm": sgml("r"),
        "sgm/newstestB2020-deen-ref.en.sgm": sgml("q"),
    }
    made["wmt20"] = made["wmt20/tworefs"] = [tar(both)]
    talks = []
    for remote in catalogue.named_set("iwslt17").remotes:
        pair = remote.name.removesuffix(".tgz")
        talks.append(tar({f"{pair}/IWSLT17.TED.tst2017.{pair}.{pair[:2]}.xml": sgml(pair)}))
    made["iwslt17"] = talks
    return made


def checksums(made: dict[str, list[bytes]]) -> dict[str, list[str]]:
    """Return the checksum of each file."""
    return {name: [hashlib.md5(data).hexdigest() for data in files] for name, files in made.items()}


def mirror(made: dict[str, list[bytes]], folder: Path) -> None:
    """Lay the files out as a mirror has them."""
    for name, files in made.items():
        for remote, data in zip(catalogue.named_set(name).remotes, files, strict=True):
            path = folder / remote.address.partition("://")[2]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def patched(sums: dict[str, list[str]]) -> dict[str, catalogue.NamedSet]:
    """Return the catalogue with these checksums."""
    known = dict(catalogue.named_sets())
    for name, found in sums.items():
        remotes = zip(known[name].remotes, found, strict=True)
        known[name] = replace(known[name], remotes=tuple(Remote(one.address, checksum) for one, checksum in remotes))
    return known


# Runs `tertium ARGUMENTS…` in a process of its own, with the checksums that a file holds.
PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
from corpus import named_archives
from tertium.corpus.named import catalogue
known = named_archives.patched(json.load(open(sys.argv[2])))
catalogue._catalogue = lambda: known
sys.argv = ["tertium", *sys.argv[3:]]
from tertium.cli.main import main
main()
"""

# sacreBLEU itself, whose addresses are those of the mirror: runs many command lines, each in a process of its own.
ORIGINAL = """
import json, os, sys, tempfile
from pathlib import Path
from sacrebleu.dataset import DATASETS
from sacrebleu.sacrebleu import main
folder = Path(sys.argv[1])
for name, sums in json.load(open(sys.argv[2])).items():
    one = DATASETS[name]
    one.md5 = sums
    one.data = [(folder / address.partition("://")[2]).as_uri() for address in one.data]
results = []
for line in json.load(sys.stdin):
    with tempfile.TemporaryFile() as out:
        child = os.fork()
        if not child:
            os.dup2(out.fileno(), 1)
            sys.argv, code = ["sacrebleu", *line], 0
            try:
                main()
                sys.stdout.flush()
            except SystemExit as end:
                code = end.code or 0
            os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out.seek(0)
        results.append([code, out.read().decode()])
print(json.dumps(results))
"""


def written(made: dict[str, list[bytes]], folder: Path) -> Path:
    """Write the checksums into a file that the programs above read."""
    path = folder / "checksums.json"
    path.write_text(json.dumps(checksums(made)))
    return path
