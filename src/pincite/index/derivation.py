"""What a worker process makes of each document that it reads: one that is ready to be stored."""

from dataclasses import dataclass

from pincite.documents.failures import Unreadable
from pincite.engine.records import PreparedDocument
from pincite.index.prepare import Preparation
from pincite.text import Document


@dataclass(frozen=True, slots=True)
class Derivation:
    """Prepares documents. One that cannot be stored is `Unreadable`."""

    prepare: Preparation

    @property
    def types(self) -> tuple[type, ...]:
        return self.prepare.types

    def __call__(self, document: Document) -> PreparedDocument:
        try:
            document.text.encode("utf-8")
        except UnicodeEncodeError:
            advice = "holds characters that are not valid Unicode; save it again"
            raise Unreadable(document.id, "damaged", advice) from None
        return self.prepare(document)
