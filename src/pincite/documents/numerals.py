"""Numbers as lists write them: digits, letters, Roman numerals, ordinals."""


def written(count: int, form: str) -> str:
    """A number in one of Word's formats.

    >>> [written(4, form) for form in ("decimal", "decimalZero", "lowerLetter", "upperRoman", "ordinal")]
    ['4', '04', 'd', 'IV', '4th']
    """
    if form == "none":
        return ""
    if form == "decimalZero":
        return f"{count:02d}"
    if form in ("lowerLetter", "upperLetter") and count > 0:
        letters = chr(ord("a") + (count - 1) % 26) * ((count - 1) // 26 + 1)
        return letters if form == "lowerLetter" else letters.upper()
    if form in ("lowerRoman", "upperRoman") and 0 < count < 4000:
        return roman(count).lower() if form == "lowerRoman" else roman(count)
    if form == "ordinal":
        ending = "th" if 10 <= count % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")
        return f"{count}{ending}"
    return str(count)


def roman(count: int) -> str:
    """A number from 1 to 3999 in Roman numerals.

    >>> roman(1994)
    'MCMXCIV'
    """
    signs = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL")]
    signs += [(10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]
    letters = ""
    for size, sign in signs:
        letters += sign * (count // size)
        count %= size
    return letters
