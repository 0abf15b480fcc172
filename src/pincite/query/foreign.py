"""Which language a question is written in, where that is not English."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from pincite.text.stopwords import NLTK_ENGLISH

LONGEST = 2_000
"""Characters of a question that are looked at."""
FEWEST = 2
"""Distinct words of a language that a question must hold."""

_WORD = re.compile(r"[^\W\d_]+")
_ELISION = re.compile(r"\b(?:qu|[ldnjcs]|dell|nell|all|sull|un)['’](?=\w)", re.IGNORECASE)


class _Signs(NamedTuple):
    """The small words of a language. Those that also stand in names and borrowed phrases say nothing by themselves."""

    sure: frozenset[str]
    weak: frozenset[str]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _signs(sure: str, weak: str) -> _Signs:
    return _Signs(_words(sure), _words(weak))


_SIGNS = {
    "German": _signs(
        "ist sind nicht ein eine einer eines einem einen wird werden wurde wurden wie wann wer welche welcher"
        " welches welchen welchem kann können darf dürfen muss müssen soll sollen für auf bei nach oder wenn über"
        " kein keine wir ich sich auch dass haben gilt zwischen ohne durch nur unser unsere ihre seine dieser"
        " diese dieses diesem gibt wieviel warum",
        "im und mit aus wo es der das dem den des von vom zu zum zur als beim bis",
    ),
    "French": _signs(
        "une sont dans avec quel quelle quels quelles quand peut peuvent doit doivent cette combien nous vous ils elles"
        " leur leurs être où comme après selon cet pourquoi notre votre quoi lequel laquelle aux lors",
        "les le la du des de un au est et ou ne pas que qui pour sur comment sa ses en il ce ces sans sous entre avant",
    ),
    "Spanish": _signs(
        "una qué cuál cuáles cuándo cuánto cuánta cuántos cuántas quién quiénes dónde cómo puede pueden debe deben está"
        " están según cuando quien cual cuanto este esta estos estas tiene tienen nuestro nuestra desde hasta por tengo"
        " puedo tenemos podemos",
        "los las el la de del en un al con lo su sus se que y es para ser como entre sobre si",
    ),
    "Italian": _signs(
        "gli sono può possono deve devono quale quali quando quanto quanti è questo questa questi queste nel nella"
        " nelle negli sul sulla dalla alle alla agli anche hanno essere viene della dello degli",
        "che chi il uno dei delle dal la le lo un una di del da con si al qual cosa entro senza",
    ),
    "Portuguese": _signs(
        "uma não é são está pelo pela pelos pelas quando qual quais quanto quem onde pode podem deve devem este esta"
        " estes estas têm aos ao nosso nossa à após posso podemos",
        "o os um da das de em com que se e para ser como entre sobre dos sem tem seu nas nos",
    ),
    "Dutch": _signs(
        "het een niet wordt worden zijn kunnen moet moeten mogen voor bij naar hoe wie waar welke wanneer geen deze ook"
        " zonder tussen hoeveel hoelang wij onze heeft hebben volgens binnen kan",
        "de van den der en te op om als aan uit dit er tot mag ons nog wat",
    ),
}
_LEGAL = {
    "German": _words(
        "vertrag vertrags verträge vertrages kündigung kündigungsfrist kündigen haftung haftungsbeschränkung mieter"
        " vermieter miete mietvertrag gerichtsstand laufzeit schadensersatz schadenersatz vertraulichkeit geheimhaltung"
        " gewährleistung vertragsstrafe verjährung zahlungsfrist wettbewerbsverbot datenschutz arbeitsvertrag kaufpreis"
    ),
    "French": _words(
        "contrat contrats résiliation préavis loyer locataire bailleur responsabilité durée garantie confidentialité"
        " indemnité dommages paiement délai employeur salarié"
    ),
    "Spanish": _words(
        "contratos rescisión plazo arrendamiento arrendatario arrendador responsabilidad preaviso indemnización"
        " confidencialidad garantía jurisdicción incumplimiento"
    ),
    "Italian": _words(
        "contratto contratti recesso durata responsabilità locazione conduttore locatore preavviso risarcimento"
        " riservatezza garanzia risoluzione inadempimento"
    ),
    "Portuguese": _words(
        "contrato rescisão prazo arrendamento locatário locador responsabilidade indenização indemnização"
        " confidencialidade garantia incumprimento"
    ),
    "Dutch": _words(
        "overeenkomst overeenkomsten opzegtermijn opzegging huur huurder verhuurder huurovereenkomst aansprakelijkheid"
        " geheimhouding schadevergoeding looptijd garantie"
    ),
}
"""Words of contracts that no English question holds, for searches by a few words."""
_SHARED = _words("a am an as do in me no on so was")
"""English words that are words of other languages, too."""
_ENGLISH = NLTK_ENGLISH | _words("may must shall would could upon without within whether")


@lru_cache(maxsize=256)
def language_of(question: str) -> str:
    """The language of a question: "" for English and where it cannot be told.

    >>> language_of("Wann endet der Vertrag und wer kann ihn kündigen?")
    'German'
    >>> language_of("Kündigungsfrist im Vertrag")
    'German'
    >>> language_of("What is the force majeure clause of the La Quinta lease?"), language_of("pari passu")
    ('', '')
    """
    words = _WORD.findall(_ELISION.sub(" ", question[:LONGEST]).lower())
    distinct = frozenset(words)
    found = {}
    for language, signs in _SIGNS.items() if len(words) > FEWEST else ():
        sure, weak = distinct & signs.sure, distinct & signs.weak
        if sure and len(sure | weak) >= FEWEST:
            found[language] = (len(sure) + len(weak) / 2, len(sure))
    if not found:
        return _by_legal_words(words)
    best = max(found, key=found.__getitem__)
    its_own = _SIGNS[best].sure | _SIGNS[best].weak
    foreign = sum(word in its_own for word in words)
    english = sum(word in _ENGLISH for word in words)
    return best if foreign > english else ""


def _by_legal_words(words: Sequence[str]) -> str:
    """The language of a few words that are no question, by what contracts are about; "" where a word is English."""
    held = {language: len(legal.intersection(words)) for language, legal in _LEGAL.items()}
    best = max(held, key=held.__getitem__)
    is_english = any(word in _ENGLISH and word not in _SHARED for word in words)
    return best if held[best] and len(words) >= FEWEST and not is_english else ""
