"""Kinds of documents: one name for each, and the other names that people use for it."""

import re
from collections.abc import Mapping

from pincite.errors import UsageError

KINDS: dict[str, tuple[str, ...]] = {
    "non-disclosure agreement": (
        *("nda", "confidentiality agreement", "confidential disclosure agreement", "cda", "secrecy agreement"),
        *("mutual non-disclosure agreement", "mnda"),
    ),
    "services agreement": (
        *("services", "service agreement", "msa", "master services agreement", "sow", "statement of work"),
        *("professional services agreement", "transition services agreement", "management services agreement"),
    ),
    "consulting agreement": ("consulting", "consultancy agreement", "independent contractor agreement"),
    "supply agreement": ("supply", "manufacturing agreement", "manufacturing", "purchase order", "off-take agreement"),
    "distribution agreement": ("distribution", "distributor agreement", "distributorship agreement"),
    "reseller agreement": ("reseller", "value-added reseller agreement", "var agreement", "remarketing agreement"),
    "licence": (
        *("license", "licence agreement", "license agreement", "patent licence", "trademark licence"),
        *("intellectual property licence", "content licence", "licensing agreement"),
    ),
    "software licence": (
        *("software", "software license", "software licence agreement", "software license agreement", "eula"),
        *("end user licence agreement", "end user license agreement", "saas", "saas agreement", "saas terms"),
        *("software as a service", "open source licence", "open source license", "hosting agreement"),
    ),
    "employment agreement": ("employment", "employment contract", "executive employment agreement"),
    "offer letter": ("offer", "offer of employment", "employment offer letter"),
    "severance agreement": (
        *("severance", "separation agreement", "change in control agreement", "change of control agreement"),
        "retention agreement",
    ),
    "lease": ("tenancy", "tenancy agreement", "lease agreement", "sublease", "rental agreement"),
    "credit agreement": (
        *("loan and credit", "loan", "credit", "loan agreement", "facility agreement", "promissory note"),
        *("note", "credit facility", "loan or credit agreement"),
    ),
    "guarantee": ("guaranty", "guarantee agreement", "guaranty agreement", "surety"),
    "security agreement": (
        "security",
        "pledge agreement",
        "mortgage",
        "deed of trust",
        "charge",
        "collateral agreement",
    ),
    "construction contract": (
        *("construction", "construction agreement", "epc", "epc contract", "building contract"),
        "construction management agreement",
    ),
    "merger or purchase agreement": (
        *("merger and purchase", "merger", "merger agreement", "purchase", "purchase agreement"),
        *("acquisition agreement", "asset purchase agreement", "stock purchase agreement", "share purchase agreement"),
        *("spa", "apa", "agreement and plan of merger"),
    ),
    "shareholders agreement": (
        *("shareholders", "shareholder agreement", "shareholders' agreement", "stockholders agreement"),
        *("investor rights agreement", "registration rights agreement", "voting agreement", "standstill agreement"),
    ),
    "joint venture agreement": ("joint venture", "jv", "jv agreement", "partnership agreement", "operating agreement"),
    "collaboration agreement": (
        *("collaboration", "cooperation agreement", "co-operation agreement", "strategic alliance agreement"),
        *("strategic alliance", "alliance agreement", "development agreement", "development", "research agreement"),
    ),
    "marketing agreement": (
        *("marketing", "promotion agreement", "co-branding agreement", "affiliate agreement", "advertising agreement"),
        "co-branding",
    ),
    "franchise agreement": ("franchise",),
    "agency agreement": ("agency", "agent agreement", "sales representative agreement"),
    "sponsorship agreement": ("sponsorship", "endorsement agreement", "endorsement"),
    "outsourcing agreement": ("outsourcing",),
    "maintenance agreement": ("maintenance", "support agreement", "maintenance and support agreement"),
    "transportation agreement": ("transportation", "transport agreement", "carriage agreement", "charter party"),
    "assignment": (
        "assignment agreement",
        "intellectual property assignment",
        "transfer agreement",
        "deed of assignment",
    ),
    "settlement agreement": ("settlement", "release", "release agreement"),
    "indemnification agreement": ("indemnification", "indemnity", "indemnity agreement"),
    "data processing agreement": ("data processing", "dpa", "data processing addendum", "data protection agreement"),
    "privacy policy": ("privacy", "privacy notice", "privacy statement"),
    "terms of service": ("terms", "terms of use", "tos", "terms and conditions", "terms of sale", "website terms"),
    "policy": ("code of conduct", "guidelines", "procedure", "handbook", "policy document"),
    "retirement plan": ("retirement", "pension plan", "401k", "serp", "deferred compensation plan"),
    "incentive plan": ("incentive", "equity plan", "stock option plan", "bonus plan", "award agreement"),
    "statute": ("act", "law", "code", "ordinance", "bill"),
    "regulation": ("rule", "directive", "rules", "regulations"),
    "judgment": ("judgement", "opinion", "decision", "case", "ruling"),
    "order": ("court order", "decree"),
    "brief": ("motion", "memorandum of law", "complaint", "pleading", "petition"),
    "letter": ("letter agreement", "correspondence"),
    "form": ("application form", "questionnaire", "template form"),
    "other": ("unknown", "miscellaneous"),
}
"""Every kind with its other names, all in lower case. docs/profiles.md shows the list."""

_SEPARATORS = re.compile(r"[\s\-‐-―_/]+")


def _folded(name: str) -> str:
    return _SEPARATORS.sub(" ", name.strip().casefold().replace("’", "'"))


_NAMES: Mapping[str, str] = {
    _folded(name): kind for kind, aliases in KINDS.items() for name in (kind, kind.removesuffix(" agreement"), *aliases)
}


def kind_named(name: str) -> str:
    """The kind that a name means, singular or plural; "" for a name of none.

    >>> kind_named("NDA"), kind_named("confidentiality agreements"), kind_named("poem")
    ('non-disclosure agreement', 'non-disclosure agreement', '')
    """
    folded = _folded(name)
    return _NAMES.get(folded) or _NAMES.get(folded.removesuffix("s")) or ""


def checked_kind(name: str) -> str:
    """The kind that a name means. Any other name is an error that lists the kinds."""
    if found := kind_named(name):
        return found
    raise UsageError(
        f"{name[:40]!r} is not a kind of document; kinds are {', '.join(KINDS)} (or their short names: nda, msa)"
    )


def same_kind(one: str, other: str) -> bool:
    """Whether two names mean the same kind of document.

    >>> same_kind("NDA", "Non-Disclosure Agreement"), same_kind("lease", "nda")
    (True, False)
    """
    return kind_key(one) == kind_key(other)


def kind_key(name: str) -> str:
    """The same for all names of one kind.

    >>> kind_key("NDAs"), kind_key("Berth Deed")
    ('non-disclosure agreement', 'berth deed')
    """
    return kind_named(name) or _folded(name)
