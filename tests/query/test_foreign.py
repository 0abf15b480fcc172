"""Which language a question is written in."""

import pytest

from pincite.query.foreign import language_of

FOREIGN = {
    "German": [
        "Kündigungsfrist im Vertrag",
        "Haftung des Verkäufers",
        "Wann endet der Vertrag?",
        "Wie lange ist die Kündigungsfrist?",
        "Welches Recht gilt?",
        "Welche Gerichte sind zuständig",
        "Darf der Mieter die Wohnung untervermieten, wenn der Vermieter nicht zustimmt?",
        "WANN ENDET DER VERTRAG UND WER KANN KÜNDIGEN",
    ],
    "French": [
        "résiliation du contrat",
        "durée du préavis",
        "Quelle est la durée du contrat ?",
        "Quel est le délai de préavis",
        "Puis-je résilier le bail après la fin de l’année, et dans quelles conditions ?",
        "Combien de jours avons-nous pour contester une facture ?",
    ],
    "Spanish": [
        "plazo de preaviso",
        "¿Cuándo termina el contrato?",
        "¿Cuál es la ley aplicable?",
        "¿pueden mirar lo que hago en el ordenador de la empresa?",
        "El contrato puede cederse con el consentimiento de la otra parte?",
    ],
    "Italian": [
        "durata del contratto",
        "Qual è la legge applicabile?",
        "Quando scade il contratto?",
        "Può il conduttore recedere dal contratto?",
    ],
    "Portuguese": [
        "rescisão do contrato",
        "Qual é a lei aplicável ao contrato?",
        "Quando termina o contrato?",
        "O contrato pode ser cedido sem consentimento?",
    ],
    "Dutch": [
        "opzegtermijn huurovereenkomst",
        "Wanneer eindigt de overeenkomst?",
        "Hoe lang is de opzegtermijn?",
        "Kan de huurder de huur opzeggen?",
    ],
}
ENGLISH = [
    "",
    "?",
    "de minimis",
    "force majeure",
    "pari passu",
    "garantie of performance in the contract",  # a word alone beside English ones
    "inter alia",
    "pro rata",
    "per se",
    "sua sponte",
    "qui tam relator",
    "El Paso lease",
    "La Quinta Inn de El Paso",
    "Los Angeles y Las Vegas",
    "Los Angeles de Las Vegas lease",
    "Van der Berg en Zonen",
    "Der Spiegel und die Zeit",
    "Banco do Brasil S.A. et al.",
    "Haftung",
    "What is para 15 of the de la Cruz deed?",
    "Does the El Paso lease with Casa de las Flores end in 2025?",
    "force majeure clause of the Compagnie des Alpes agreement",
    "When does the agreement with Société Générale end?",
    "can we show the documents to our auditors",
    "late payment interest",
    "What does the word 'Kündigung' mean in the agreement?",
    "IL law, CE marks and MIT know-how",
    "0123456789",
]


@pytest.mark.parametrize(("question", "language"), [(q, name) for name, qs in FOREIGN.items() for q in qs])
def test_foreign(question: str, language: str) -> None:
    assert language_of(question) == language


@pytest.mark.parametrize("question", ENGLISH)
def test_english_or_undecidable(question: str) -> None:
    assert language_of(question) == ""


def test_a_long_question_is_cut() -> None:
    assert language_of("what is the price? " * 600 + "Wann endet der Vertrag und wer kann kündigen?") == ""
