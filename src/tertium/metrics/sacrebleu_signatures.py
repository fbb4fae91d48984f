"""sacreBLEU's signatures, long or short, as texts of ours: `nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|…`."""

from tertium.errors import InputError

# The short keys; `s` is smooth in BLEU's signatures and space in chrF's.
_LONG = {"#": "nrefs", "c": "case", "e": "eff", "t": "tok", "v": "version", "nr": "norm", "pn": "punct", "as": "asian"}
_ASIDE = ("nrefs", "version", "bs", "ar", "seed", "rs", "test", "lang", "l", "subset", "origlang", "o")
_KEYS = {
    "bleu": ("case", "eff", "tok", "smooth"),
    "chrf": ("case", "eff", "nc", "nw", "space"),
    "ter": ("case", "tok", "norm", "punct", "asian"),
}
_YES_NO = {"yes": "true", "no": "false"}


def translated(text: str) -> str:
    """Return what brings the same metric after -m."""
    items = [item.partition(":") for item in text.strip().split("|")]
    items = items[1:] if not items[0][1] else items
    given = {_LONG.get(key, key): value for key, _, value in items}
    name = "chrf" if "nc" in given else "ter" if "asian" in given else "bleu"
    if "s" in given:
        given["smooth" if name == "bleu" else "space"] = given.pop("s")
    wanted = {key: value for key, value in given.items() if key not in _ASIDE}
    if set(wanted) != set(_KEYS[name]):
        missing = ", ".join(sorted(set(_KEYS[name]) ^ set(wanted)))
        raise InputError(f"'{text}' is no whole signature of sacreBLEU's for {name}: look at {missing}.")
    try:
        return f"{name}:" + ",".join(f"{key}={value}" for key, value in _SETTINGS[name](wanted).items())
    except KeyError as error:
        raise InputError(f"'{text}' is no signature of sacreBLEU's: it has the value {error}.") from None


def _bleu(given: dict[str, str]) -> dict[str, str]:
    smoothing, _, value = given["smooth"].rstrip("]").partition("[")
    return {
        "tokenize": given["tok"].partition("-mecab")[0] + ("-mecab" if "-mecab" in given["tok"] else ""),
        "lowercase": {"lc": "true", "mixed": "false"}[given["case"]],
        "smoothing": smoothing,
        **({"smoothing_value": value} if value else {}),
        "effective_order": _YES_NO[given["eff"]],
    }


def _chrf(given: dict[str, str]) -> dict[str, str]:
    return {
        "char_order": given["nc"],
        "word_order": given["nw"],
        "lowercase": {"lc": "true", "mixed": "false"}[given["case"]],
        "whitespace": _YES_NO[given["space"]],
        "eps_smoothing": {"yes": "false", "no": "true"}[given["eff"]],
    }


def _ter(given: dict[str, str]) -> dict[str, str]:
    return {
        "variant": "sacrebleu",
        "normalized": _YES_NO[given["norm"]],
        "no_punct": {"yes": "false", "no": "true"}[given["punct"]],
        "asian_support": _YES_NO[given["asian"]],
        "case_sensitive": {"lc": "false", "mixed": "true"}[given["case"]],
    }


_SETTINGS = {"bleu": _bleu, "chrf": _chrf, "ter": _ter}
