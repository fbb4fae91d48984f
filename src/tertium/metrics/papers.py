"""The papers behind a metric, as they are cited: whoever reports a score names them."""

from dataclasses import asdict, dataclass

from tertium.metrics.base import Metric


@dataclass(frozen=True)
class Paper:
    """A publication."""

    key: str
    authors: tuple[str, ...]  # surname, given names
    year: int
    title: str
    where: str
    pages: str

    def __str__(self) -> str:
        names = [f"{name.partition(', ')[2]} {name.partition(', ')[0]}" for name in self.authors]
        listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
        return f"{listed} ({self.year}). {self.title}. {self.where}, pages {self.pages}."

    @property
    def bibtex(self) -> str:
        """Return an entry for a bibliography of LaTeX."""
        fields = {
            "author": " and ".join(self.authors),
            "title": "{" + self.title + "}",
            "booktitle": self.where,
            "pages": self.pages.replace("–", "--"),
            "year": str(self.year),
        }
        kind = "inproceedings" if self.where.startswith("Proceedings") else "article"
        if kind == "article":
            fields = {("journal" if name == "booktitle" else name): value for name, value in fields.items()}
        lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
        return f"@{kind}{{{self.key},\n{lines}\n}}\n"

    def to_dict(self) -> dict[str, object]:
        """Return the fields, and the entry for LaTeX."""
        return asdict(self) | {"authors": list(self.authors), "bibtex": self.bibtex}


_WMT = "Proceedings of the {} on Statistical Machine Translation"
PAPERS = {
    paper.key: paper
    for paper in (
        Paper(
            "papineni2002bleu",
            ("Papineni, Kishore", "Roukos, Salim", "Ward, Todd", "Zhu, Wei-Jing"),
            2002,
            "Bleu: a Method for Automatic Evaluation of Machine Translation",
            "Proceedings of the 40th Annual Meeting of the Association for Computational Linguistics",
            "311–318",
        ),
        Paper(
            "post2018clarity",
            ("Post, Matt",),
            2018,
            "A Call for Clarity in Reporting BLEU Scores",
            "Proceedings of the Third Conference on Machine Translation: Research Papers",
            "186–191",
        ),
        Paper(
            "popovic2015chrf",
            ("Popović, Maja",),
            2015,
            "chrF: character n-gram F-score for automatic MT evaluation",
            _WMT.format("Tenth Workshop"),
            "392–395",
        ),
        Paper(
            "popovic2017chrf",
            ("Popović, Maja",),
            2017,
            "chrF++: words helping character n-grams",
            "Proceedings of the Second Conference on Machine Translation",
            "612–618",
        ),
        Paper(
            "doddington2002nist",
            ("Doddington, George",),
            2002,
            "Automatic evaluation of machine translation quality using n-gram co-occurrence statistics",
            "Proceedings of the Second International Conference on Human Language Technology Research",
            "138–145",
        ),
        Paper(
            "levenshtein1966",
            ("Levenshtein, Vladimir I.",),
            1966,
            "Binary codes capable of correcting deletions, insertions, and reversals",
            "Soviet Physics Doklady 10(8)",
            "707–710",
        ),
        Paper(
            "tillmann1997per",
            ("Tillmann, Christoph", "Vogel, Stephan", "Ney, Hermann", "Zubiaga, Alex", "Sawaf, Hassan"),
            1997,
            "Accelerated DP based search for statistical translation",
            "Proceedings of the Fifth European Conference on Speech Communication and Technology",
            "2667–2670",
        ),
        Paper(
            "leusch2006cder",
            ("Leusch, Gregor", "Ueffing, Nicola", "Ney, Hermann"),
            2006,
            "CDER: Efficient MT Evaluation Using Block Movements",
            "Proceedings of the 11th Conference of the European Chapter of the ACL",
            "241–248",
        ),
        Paper(
            "snover2006ter",
            ("Snover, Matthew", "Dorr, Bonnie", "Schwartz, Rich", "Micciulla, Linnea", "Makhoul, John"),
            2006,
            "A Study of Translation Edit Rate with Targeted Human Annotation",
            "Proceedings of the 7th Conference of the Association for Machine Translation in the Americas",
            "223–231",
        ),
        Paper(
            "snover2009terp",
            ("Snover, Matthew G.", "Madnani, Nitin", "Dorr, Bonnie", "Schwartz, Richard"),
            2009,
            "TER-Plus: paraphrase, semantic, and alignment enhancements to Translation Edit Rate",
            "Machine Translation 23(2–3)",
            "117–127",
        ),
        Paper(
            "banerjee2005meteor",
            ("Banerjee, Satanjeev", "Lavie, Alon"),
            2005,
            "METEOR: An Automatic Metric for MT Evaluation with Improved Correlation with Human Judgments",
            "Proceedings of the ACL Workshop on Intrinsic and Extrinsic Evaluation Measures for Machine Translation "
            "and/or Summarization",
            "65–72",
        ),
        Paper(
            "lavie2007meteor",
            ("Lavie, Alon", "Agarwal, Abhaya"),
            2007,
            "METEOR: An Automatic Metric for MT Evaluation with High Levels of Correlation with Human Judgments",
            _WMT.format("Second Workshop"),
            "228–231",
        ),
        Paper(
            "denkowski2014meteor",
            ("Denkowski, Michael", "Lavie, Alon"),
            2014,
            "Meteor Universal: Language Specific Translation Evaluation for Any Target Language",
            _WMT.format("Ninth Workshop"),
            "376–380",
        ),
    )
}

_OF_METRIC = {
    "bleu": ("papineni2002bleu", "post2018clarity"),
    "chrf": ("popovic2015chrf",),
    "nist": ("doddington2002nist",),
    "wer": ("levenshtein1966",),
    "per": ("tillmann1997per",),
    "cder": ("leusch2006cder",),
    "ter": ("snover2006ter",),
    "terp": ("snover2009terp", "snover2006ter"),
    "meteor": ("denkowski2014meteor", "banerjee2005meteor"),
}


def papers_of(metric: Metric) -> list[Paper]:
    """Return what to cite for a metric with these settings, the most important first; nothing for one of your own."""
    settings = metric.settings()
    keys = list(_OF_METRIC.get(metric.name, ()))
    if metric.name == "chrf" and settings["word_order"] != "0":
        keys.insert(0, "popovic2017chrf")
    if metric.name == "meteor" and settings["version"] != "1.5":
        keys = ["lavie2007meteor", "banerjee2005meteor"] if settings["version"] == "2007" else ["banerjee2005meteor"]
    if metric.name in ("wer", "per") and settings["substitution"] not in ("exact", "none"):
        keys.append("leusch2006cder")  # where costs between words were proposed
    for part in getattr(metric, "parts_of", ()):  # of a combination, or what is averaged
        keys += [paper.key for paper in papers_of(part)]
    return [PAPERS[key] for key in dict.fromkeys(keys)]
