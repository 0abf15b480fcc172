"""What a question asks for, without the words that only make it a question."""

from functools import lru_cache

from pincite.text.english import ENGLISH
from pincite.text.language import Language


@lru_cache(maxsize=256)
def bare_question(question: str, language: Language = ENGLISH) -> str:
    """The question without "Does the document state that ..." and the like; itself where nothing would be left.

    >>> bare_question("Does the document state that Confidential Information shall only include technical information?")
    'Confidential Information shall only include technical information'
    >>> bare_question("list all documents with an arbitration clause")
    'arbitration clause'
    """
    patterns = language.question
    bare = patterns.tail.sub("", question.strip())
    bare = patterns.openings.sub("", patterns.frames.sub("", bare, count=1), count=1).strip(" ?")
    return bare if len(bare.split()) >= 2 else question
