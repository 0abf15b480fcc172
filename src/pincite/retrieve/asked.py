"""What a question asks for, without the words that only make it a question."""

import re

_FRAMES = re.compile(
    r"^(?:please\s+)?(?:tell\s+me\s+)?(?:whether\s+|if\s+)?"
    r"(?:(?:does|do|did|is|are|would|will|can|could|has|have)\s+)?"
    r"(?:(?:the|this|that|our|your)\s+(?:document|agreement|contract|policy|nda|text|lease)\s+)"
    r"(?:(?:explicitly|expressly|also|specifically|clearly)\s+)?"
    r"(?:(?:state|mention|indicate|specify|say|provide|note|establish|stipulate|contain|include|require|allow|permit|address|"
    r"restrict|prohibit|describe|cover|give|impose|grant|set)s?\s+)?"
    r"(?:(?:explicitly|expressly)\s+)?(?:that\s+|whether\s+|for\s+|out\s+|about\s+)?",
    re.IGNORECASE,
)
_OPENINGS = re.compile(
    r"^(?:information\s+about\s+(?:the\s+)?|what\s+(?:is|are|happens\s+(?:in\s+the\s+event\s+of|during|if))\s+(?:the\s+|a\s+)?|"
    r"(?:is|are)\s+there\s+(?:any\s+|an?\s+)?|where\s+(?:is|are)\s+(?:the\s+)?|tell\s+me\s+about\s+)",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\s+(?:under|in|of|by|for)\s+(?:this\s+(?:contract|agreement|document|policy)|the\s+(?:contract|document))(?=[?.]?$)",
    re.IGNORECASE,
)


def bare_question(question: str) -> str:
    """The question without "Does the document state that ..." and the like; itself where nothing would be left.

    >>> bare_question("Does the document state that Confidential Information shall only include technical information?")
    'Confidential Information shall only include technical information'
    """
    bare = _TAIL.sub("", question.strip())
    bare = _OPENINGS.sub("", _FRAMES.sub("", bare, count=1), count=1).strip(" ?")
    return bare if len(bare.split()) >= 2 else question
