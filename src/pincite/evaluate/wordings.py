"""The 17 things that ContractNLI asks, each as six people might ask. Written before any training, never trained on."""

from dataclasses import replace

from pincite.errors import DataError
from pincite.evaluate.benchmark import BenchmarkQuestion
from pincite.evaluate.legalbench_rag import Pool

WORDINGS: dict[str, tuple[str, ...]] = {
    # A word that only one of the benchmark's 17 questions holds -> how others would ask it.
    "their employees": (
        "Can our own staff see what the other side gives us?",
        "Who inside the company that gets the secrets is allowed to look at them?",
        "are internal people with a need to know covered",
        "sharing with personnel",
        "May we show their documents to members of our team?",
        "Is circulation within the recipient's workforce permitted?",
    ),
    "restrict the use": (
        "What are we allowed to do with the material, and what not?",
        "only for the permitted purpose?",
        "Could the recipient use the data for its own business?",
        "limits on exploitation of what was received",
        "Does using it for something else breach the contract?",
        "For which aim may the information be used?",
    ),
    "not grant": (
        "Do we get a licence by receiving this?",
        "Who keeps ownership of the disclosed material?",
        "no implied licence or title",
        "Does handing it over transfer any intellectual property?",
        "are patents or copyrights licensed under this",
        "What rights pass to the one who receives the secrets?",
    ),
    "professional advisors": (
        "Can I send it to my lawyer or accountant?",
        "which outsiders may be told",
        "Is it OK to let contractors and consultants see it?",
        "disclosure to affiliates, counsel, auditors",
        "May external people be brought in, and on what terms?",
        "Who else besides employees can be given access?",
    ),
    "only include technical": (
        "What counts as secret here: know-how alone, or business matters too?",
        "scope of what is protected",
        "Is commercial or financial data covered?",
        "How wide is the definition of what must be kept confidential?",
        "does it protect customer lists and prices as well",
        "Which kinds of material fall under the NDA?",
    ),
    "survive": (
        "How long do the duties go on once the deal is over?",
        "what continues after the end of the contract",
        "Are we still bound when it expires?",
        "post-termination confidentiality period",
        "For how many years after it ends must we keep quiet?",
        "Which clauses stay in force later?",
    ),
    "acquire information similar": (
        "What if somebody else tells us the same thing?",
        "already known or received from another source without a duty of secrecy",
        "Does it cover what we lawfully get elsewhere?",
        "exception for material obtained from others",
        "Is it a breach if an unrelated source gives us the same facts?",
        "can we take the same data from another supplier",
    ),
    "permit the Receiving Party to retain": (
        "May we keep an archive copy for our records?",
        "what can stay with us after everything was sent back",
        "Are backups exempt from deletion?",
        "legal department keeping one set for compliance",
        "Is there anything the recipient need not give up at the end?",
        "holding on to copies required by law",
    ),
    "verbally": (
        "Is something said in a meeting protected?",
        "oral disclosures",
        "If they tell us on the phone, does it count as secret?",
        "must spoken things be written down afterwards to be covered",
        "Are conversations within the definition?",
        "what about presentations and demonstrations",
    ),
    "judicial process": (
        "What happens when a court orders us to hand it over?",
        "subpoena - do we have to warn them",
        "Are we to tell the other side before complying with a government demand?",
        "compelled disclosure notice",
        "If a regulator asks for it, what must the recipient do first?",
        "legally forced to reveal: prior warning and protective order",
    ),
    "independently develop": (
        "Can we come up with the same idea on our own?",
        "work created without using their secrets",
        "Is our own research free from this contract?",
        "exception for in-house creation",
        "What if our engineers invent the same thing by themselves?",
        "does it stop us from building similar products alone",
    ),
    "expressly identified": (
        "Must papers be stamped confidential to be protected?",
        "is marking needed",
        "Does the owner have to label what is secret?",
        "unmarked documents - covered or not",
        "How is one to recognise which items are protected?",
        "written confirmation that something is confidential",
    ),
    "destroy or return": (
        "What must be done with the papers at the end?",
        "giving back or shredding everything",
        "When the talks are over, do we send the files back?",
        "deletion on request",
        "Does the owner get its documents back?",
        "obligation to hand over all copies when it ends",
    ),
    "agreed upon or negotiated": (
        "May we announce that we are in talks?",
        "is the very existence of the NDA a secret",
        "Can we tell the press that we signed with them?",
        "publicity about the relationship",
        "Are the discussions themselves to be kept quiet?",
        "no mention to anyone of the deal",
    ),
    "create a copy": (
        "Are we allowed to photocopy the documents?",
        "making duplicates",
        "Can extracts or summaries be made for internal use?",
        "reproduction only as far as needed",
        "How many reproductions may the recipient make?",
        "is copying forbidden",
    ),
    "reverse engineer": (
        "May we take their samples apart?",
        "decompiling the software",
        "Is analysing the composition of a prototype forbidden?",
        "no disassembly",
        "Can the recipient work out how the product functions?",
        "testing samples to find out what is in them",
    ),
    "soliciting": (
        "Can we hire their people?",
        "no poaching of staff",
        "Is there a ban on recruiting the other side's employees?",
        "approaching their team with job offers",
        "Does it stop us from taking on one of their engineers?",
        "non-hire clause",
    ),
}


def kind_of(question: str) -> str:
    """Which of the 17 a question of the benchmark is; "" for any other."""
    return next((mark for mark in WORDINGS if mark.lower() in question.lower()), "")


def in_other_words(pool: Pool) -> Pool:
    """The same pool with ContractNLI's questions as others would ask them, in turn; other questions stay out."""
    questions = {name: tuple(_others(asked)) for name, asked in pool.questions.items()}
    kept = {name: asked for name, asked in questions.items() if asked}
    if not kept:
        raise DataError("none of these questions has other wordings; they are for ContractNLI's 17: --set contractnli")
    return Pool(pool.documents, kept)


def _others(questions: tuple[BenchmarkQuestion, ...]) -> list[BenchmarkQuestion]:
    seen: dict[str, int] = {}
    found = []
    for question in questions:
        reference, _, asked = question.query.partition(";")
        kind = kind_of(asked)
        if kind:
            turn = seen.get(kind, 0)
            seen[kind] = turn + 1
            wordings = WORDINGS[kind]
            found.append(replace(question, query=f"{reference}; {wordings[turn % len(wordings)]}"))
    return found
