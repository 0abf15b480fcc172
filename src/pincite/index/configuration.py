"""What an index was built with: the exact pipeline, so that a search never mixes two."""

import json
from dataclasses import asdict, dataclass, fields

from pincite.errors import DataError

FORMAT = 1
"""Of the folder; an index of a newer one is not touched."""
PIPELINE = 1
"""Of how texts are cut and words are stemmed; documents stored by another version keep the passages they have."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """How documents were cut, and which encoder made the vectors ("" until the first vectors are made)."""

    segmenter: str = "clauses"
    stemmer: str = "snowball english"
    pipeline: int = PIPELINE
    encoder: str = ""
    encoder_sha256: str = ""
    dimensions: int = 0
    written_by: str = ""

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Configuration":
        try:
            values = json.loads(text)
            return cls(**{field.name: values[field.name] for field in fields(cls) if field.name in values})
        except (ValueError, TypeError, KeyError) as error:
            raise DataError(f"the index's configuration cannot be read ({error}); build the index again") from None
