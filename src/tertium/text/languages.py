"""Languages by name and by code: ISO 639-1 and -3, BCP 47, pairs of them, and the codes that METEOR made up.

What a person calls a language is read here and nowhere else. `target_language` reads what stands after -l, a code or a
pair, and says how the language is written; `language_code` finds what the lexicon has for a language.
"""

import re
from dataclasses import dataclass

from tertium.errors import InputError, UnknownNameError

# What the lexicon knows. Two-letter code: English name in lower case, and the three-letter codes.
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


# ISO 639-1, each with its code of ISO 639-3.
_TWO_AND_THREE = dict(
    pair.split(":")
    for pair in """
    aa:aar ab:abk ae:ave af:afr ak:aka am:amh an:arg ar:ara as:asm av:ava ay:aym az:aze ba:bak be:bel bg:bul
    bi:bis bm:bam bn:ben bo:bod br:bre bs:bos ca:cat ce:che ch:cha co:cos cr:cre cs:ces cu:chu cv:chv cy:cym
    da:dan de:deu dv:div dz:dzo ee:ewe el:ell en:eng eo:epo es:spa et:est eu:eus fa:fas ff:ful fi:fin fj:fij
    fo:fao fr:fra fy:fry ga:gle gd:gla gl:glg gn:grn gu:guj gv:glv ha:hau he:heb hi:hin ho:hmo hr:hrv ht:hat
    hu:hun hy:hye hz:her ia:ina id:ind ie:ile ig:ibo ii:iii ik:ipk io:ido is:isl it:ita iu:iku ja:jpn jv:jav
    ka:kat kg:kon ki:kik kj:kua kk:kaz kl:kal km:khm kn:kan ko:kor kr:kau ks:kas ku:kur kv:kom kw:cor ky:kir
    la:lat lb:ltz lg:lug li:lim ln:lin lo:lao lt:lit lu:lub lv:lav mg:mlg mh:mah mi:mri mk:mkd ml:mal mn:mon
    mr:mar ms:msa mt:mlt my:mya na:nau nb:nob nd:nde ne:nep ng:ndo nl:nld nn:nno no:nor nr:nbl nv:nav ny:nya
    oc:oci oj:oji om:orm or:ori os:oss pa:pan pi:pli pl:pol ps:pus pt:por qu:que rm:roh rn:run ro:ron ru:rus
    rw:kin sa:san sc:srd sd:snd se:sme sg:sag si:sin sk:slk sl:slv sm:smo sn:sna so:som sq:sqi sr:srp ss:ssw
    st:sot su:sun sv:swe sw:swa ta:tam te:tel tg:tgk th:tha ti:tir tk:tuk tl:tgl tn:tsn to:ton tr:tur ts:tso
    tt:tat tw:twi ty:tah ug:uig uk:ukr ur:urd uz:uzb ve:ven vi:vie vo:vol wa:wln wo:wol xh:xho yi:yid yo:yor
    za:zha zh:zho zu:zul
    """.split()  # noqa: SIM905
)
ISO_639_1 = frozenset(_TWO_AND_THREE)

# Codes that stand for one of the above: ISO 639-2's older ones, single languages of a group, and `cz`.
_ALSO = dict(
    pair.split(":")
    for pair in """
    alb:sq arm:hy baq:eu bur:my chi:zh cze:cs dut:nl fre:fr geo:ka ger:de gre:el ice:is mac:mk mao:mi may:ms
    per:fa rum:ro slo:sk tib:bo wel:cy cz:cs iw:he jp:ja cmn:zh arb:ar arz:ar ary:ar apc:ar ajp:ar acm:ar acq:ar
    aeb:ar ars:ar pes:fa prs:fa swh:sw zsm:ms lvs:lv ekk:et npi:ne ory:or khk:mn plt:mg als:sq gaz:om uzn:uz
    azj:az azb:az pbt:ps ydd:yi quy:qu ayr:ay kmr:ku fuv:ff knc:kr dik:din hbs:sr
    """.split()  # noqa: SIM905
)

# Languages of ISO 639-3 that test sets have and ISO 639-1 has not.
_THREE_ALONE = frozenset(
    """
    ace ast awa ban bem bho bjn bug ceb cjk ckb crh csb din dsb dyu eml fil fon frp fur gan gom grc gsw guw hak haw hil
    hmn hne hsb ilo kab kac kam kbp kea kha kmb kri krc kok lad lez lij liv lmo lmn lrc ltg lua luo lus lzh mag mai mhr
    min mni mnw mos mwl myv nan nap nds new nov nso nus pag pam pap pcd pcm pms pnb rom rue rup sah san sat scn sco shn
    szl taq tcy tet tpi trv tum tzm udm umb vec vep vls vro war wuu xal xmf yua yue zea zza
    """.split()  # noqa: SIM905
)

# ISO 3166-1: a second part in capitals is a country, if it is one.
_COUNTRIES = frozenset(
    """
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA
    CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA
    GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP
    KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS
    MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS
    RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW
    TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
    """.split()  # noqa: SIM905
)
_OR_A_COUNTRY = ("zh-tw", "pt-br")  # written small they are pairs to Twi and Breton, which hardly anybody means
_SMALL_COUNTRIES = ("zh-cn", "zh-hk", "en-us", "en-gb")  # no languages: many write these countries small

_CHINESE = ("zh", "yue", "wuu", "hak", "gan", "nan", "lzh")
_BY_CHARACTER = (
    "th",
    "km",
    "lo",
    "my",
    "bo",
    "dz",
    "shn",
    "mnw",
)  # no blanks between words, and no rule that finds them
_TOKENIZERS = {
    **dict.fromkeys(_CHINESE, "zh"),
    "ja": "ja-mecab",
    "ko": "ko-mecab",
    **dict.fromkeys(_BY_CHARACTER, "char"),
}


@dataclass(frozen=True)
class Language:
    """A target language: its code in ISO 639-1, or -3 where that has none, and its script where it was named."""

    code: str
    script: str = ""

    @property
    def tokenizer(self) -> str:
        """The tokenizer that metrics on words take for it."""
        return "13a" if self.script == "Latn" else _TOKENIZERS.get(self.code, "13a")

    @property
    def is_east_asian(self) -> bool:
        """Whether it is written in Han or kana, without blanks."""
        return self.tokenizer in ("zh", "ja-mecab")

    @property
    def by_character(self) -> bool:
        """Whether each character counts as a word, since nothing tells where words end."""
        return self.tokenizer == "char"

    @property
    def name(self) -> str:
        """What to call it in a message."""
        return LANGUAGES[self.code][0].capitalize() if self.code in LANGUAGES else f"'{self.code}'"


def target_language(text: str) -> Language:
    """Return the language that a code means (de, deu, zh-Hant, pt_BR), or the target of a pair (en-ja)."""
    if not isinstance(text, str):
        raise _refused(text)
    parts = text.strip().split("-")
    if text.strip() in _OR_A_COUNTRY:
        upper = f"{parts[0]}-{parts[1].upper()}"
        raise InputError(f"-l {text} could be a pair or a country. Write {upper} for the country, or only the target.")
    languages: list[Language] = []
    for place, part in enumerate(parts):
        before = parts[place - 1] if place else ""
        if languages and _is_subtag(part, before):
            script = part.title() if _is_script(part) else languages[-1].script
            languages[-1] = Language(languages[-1].code, script)
            continue
        first, *rest = part.split("_")
        code = _code(first)
        if code is None or not all(_is_subtag(one, first) for one in rest):
            raise _refused(text)
        languages.append(Language(code, next((one.title() for one in rest if _is_script(one)), "")))
    if len(languages) > 2:
        raise _refused(text)
    return languages[-1]


def _is_script(text: str) -> bool:
    return bool(re.fullmatch("[A-Za-z]{4}", text))


def _code(text: str) -> str | None:
    lower = text.lower()
    if lower in _TWO_AND_THREE:
        return lower
    return _ALSO.get(lower) or _SHORTER.get(lower) or (lower if lower in _THREE_ALONE else None)


def _is_subtag(text: str, before: str) -> bool:
    """Whether a part says more of the language before it: a script, a country, a variant. `EN-JA` is a pair."""
    if re.fullmatch("[A-Za-z]{2}", text):
        return f"{before}-{text}" in _SMALL_COUNTRIES or (text in _COUNTRIES and not re.fullmatch("[A-Z]{2,3}", before))
    return bool(re.fullmatch("[A-Za-z]{4}|[0-9]{3}|[0-9][0-9A-Za-z]{3}|[0-9A-Za-z]{5,8}", text))


def _refused(text: object) -> InputError:
    return InputError(
        f"-l {text} is no language that is known here. It takes a code (de, deu, zh-Hant, pt-BR) or a pair, of which "
        "the target counts (en-de, eng_Latn-deu_Latn). Without -l, text is split as languages with blanks are."
    )


_SHORTER = {three: two for two, three in _TWO_AND_THREE.items()}
