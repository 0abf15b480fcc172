"""The answer whole: what leads into a hit, what completes it, the terms it uses and the provisions it refers to."""

from pincite.search.whole.bare_units import is_mere_heading, only_refers
from pincite.search.whole.completion import completed, finished, opening
from pincite.search.whole.definition_items import definition_end
from pincite.search.whole.item_marks import labelled
from pincite.search.whole.leading import lead_ins
from pincite.search.whole.provisions import Provisions
from pincite.search.whole.references import references
from pincite.search.whole.terms import Definitions, terms_used

__all__ = [
    "Definitions",
    "Provisions",
    "completed",
    "definition_end",
    "finished",
    "is_mere_heading",
    "labelled",
    "lead_ins",
    "only_refers",
    "opening",
    "references",
    "terms_used",
]
