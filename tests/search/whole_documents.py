"""Small documents cut into units, for tests of what makes a hit whole."""

from pincite.segment import Clauses
from pincite.text import Document, Passage
from pincite.text.units import LoadedDocument, Units

SUPPLY = """SUPPLY AGREEMENT

This Supply Agreement (the “Agreement”) is made on 1 May 2020 between Acme Ltd (the “Supplier”) and Boro plc (the
“Buyer”).

1. DEFINITIONS
“Goods” means the goods that are listed in Schedule A.
'Exit Fee' shall mean
$250,000.

2. DAMAGES
2.1 In each of the following cases the Supplier shall pay as liquidated damages:
(a) for late delivery, 1% of the price for each week of delay; and
(b) for defective Goods:
(i) the cost of repair; and
(ii) the cost of transport.
The Buyer may set off these amounts.

3. PAYMENT
3.1 The Exit Fee shall be paid as set forth in Section 2.1(a) and Schedule A.
3.2 The Supplier shall (i) keep proper books and records of all the deliveries that were made under this Agreement to
the Buyer, and (ii) let the Buyer inspect them at any time during business hours on giving not less than seven days'
notice in writing of such an inspection, and (iii) keep them for seven years.
3.3 Interest is due under section 4 of the Late Payment Act and under Section 9 of the Loan Agreement.

4. OBLIGATIONS
During the term of this Agreement the Buyer shall:
4.1 pay the price of all Goods in time;
4.2 insure the Goods.

5. GENERAL
The parties agree as follows:
(a) This Agreement is governed by English law and by no other law.
(b) Notices under clauses 3.2 and 4.1 must be given in writing.

IN WITNESS WHEREOF, the parties have signed this Agreement.

By: John Smith
Title: Director of Acme Ltd

SCHEDULE A - GOODS
1. Bolts of all sizes are included.
2. Nuts of all sizes are included.
"""


def loaded(text: str) -> LoadedDocument:
    document = Document("supply.txt", text)
    return LoadedDocument(document, Units.of(Clauses()(document)))


def unit(held: LoadedDocument, words: str) -> int:
    """The first unit that holds the words."""
    text = held.document.text
    return next(at for at in range(len(held.units)) if words in text[slice(*held.units.edges(at))])


def lines_loaded(*lines: str) -> LoadedDocument:
    """A document whose lines are its units."""
    text = "\n".join(lines)
    starts = [len("\n".join(lines[:at])) + bool(at) for at in range(len(lines))]
    places = [Passage("a", start, start + len(line)) for start, line in zip(starts, lines, strict=True)]
    return LoadedDocument(Document("a", text), Units.of(places))
