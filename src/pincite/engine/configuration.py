"""What a collection was built with: the exact pipeline, so that a search never mixes two."""

import json
from dataclasses import asdict, dataclass, fields

from pincite.errors import DataError
from pincite.text.language import Language, language_named

PIPELINE = 1
"""The version of segmenting and stemming. Documents stored by another version keep the units they have."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """How documents are segmented and read, and which encoder made the vectors ("" until there are any)."""

    segmenter: str = "clauses"
    language: str = "english"
    pipeline: int = PIPELINE
    encoder: str = ""
    encoder_sha256: str = ""
    dimensions: int = 0
    written_by: str = ""

    def read_language(self) -> Language:
        """The language that texts and questions are read with."""
        return language_named(self.language)

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Configuration":
        try:
            values = json.loads(text)
            return cls(**{field.name: values[field.name] for field in fields(cls) if field.name in values})
        except (ValueError, TypeError, KeyError) as error:
            raise DataError(f"the configuration of the index cannot be read ({error}); build the index again") from None
