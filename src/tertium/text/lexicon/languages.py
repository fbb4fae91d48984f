"""Languages by name and by code: ISO 639 codes, Snowball's names, and the codes that METEOR made up."""

from tertium.errors import InputError, UnknownNameError

# Two-letter code: English name in lower case, and the three-letter codes.
LANGUAGES = {
    "ar": ("arabic", "ara"),
    "hy": ("armenian", "hye", "arm"),
    "eu": ("basque", "eus", "baq"),
    "ca": ("catalan", "cat"),
    "cs": ("czech", "ces", "cze", "cz"),
    "da": ("danish", "dan"),
    "nl": ("dutch", "nld", "dut"),
    "en": ("english", "eng"),
    "eo": ("esperanto", "epo"),
    "et": ("estonian", "est"),
    "fi": ("finnish", "fin"),
    "fr": ("french", "fra", "fre"),
    "de": ("german", "deu", "ger"),
    "el": ("greek", "ell", "gre"),
    "hi": ("hindi", "hin"),
    "hu": ("hungarian", "hun"),
    "id": ("indonesian", "ind"),
    "ga": ("irish", "gle"),
    "it": ("italian", "ita"),
    "lt": ("lithuanian", "lit"),
    "ne": ("nepali", "nep"),
    "no": ("norwegian", "nor", "nb", "nob", "nn", "nno"),
    "fa": ("persian", "fas", "per"),
    "pl": ("polish", "pol"),
    "pt": ("portuguese", "por"),
    "ro": ("romanian", "ron", "rum"),
    "ru": ("russian", "rus"),
    "sr": ("serbian", "srp"),
    "st": ("sesotho", "sot"),
    "es": ("spanish", "spa"),
    "sv": ("swedish", "swe", "se"),
    "ta": ("tamil", "tam"),
    "tr": ("turkish", "tur"),
    "yi": ("yiddish", "yid"),
}
_CODES = {name: code for code, names in LANGUAGES.items() for name in (code, *names)}


def language_code(language: object) -> str:
    """Return the two-letter code of a language; `cz` and `se`, which METEOR writes, are Czech and Swedish."""
    if not isinstance(language, str):
        raise InputError(f"A language is a name or a code such as 'en', not {language!r}.")
    plain = language.strip().lower().replace("_", "-")
    code = _CODES.get(plain) or _CODES.get(plain.split("-")[0])
    if code is None:
        raise UnknownNameError.of("language", language, LANGUAGES)
    return code


def language_name(language: object) -> str:
    """Return the English name of a language, in lower case."""
    return LANGUAGES[language_code(language)][0]
