"""Numbers as lists write them: digits, letters, Roman numerals, ordinals."""

_ROMAN_SIGNS = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
    (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip


def format_number(number: int, style: str) -> str:
    """A number in one of Word's numbering styles.

    >>> [format_number(4, style) for style in ("decimal", "decimalZero", "lowerLetter", "upperRoman", "ordinal")]
    ['4', '04', 'd', 'IV', '4th']
    """
    if style == "none":
        return ""
    if style == "decimalZero":
        return f"{number:02d}"
    if style in ("lowerLetter", "upperLetter") and number > 0:
        letters = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letters if style == "lowerLetter" else letters.upper()
    if style in ("lowerRoman", "upperRoman") and 0 < number < 4000:
        return roman(number).lower() if style == "lowerRoman" else roman(number)
    if style == "ordinal":
        ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
        return f"{number}{ending}"
    return str(number)


def roman(number: int) -> str:
    """A number from 1 to 3999 in Roman numerals.

    >>> roman(1994)
    'MCMXCIV'
    """
    letters = ""
    for size, sign in _ROMAN_SIGNS:
        letters += sign * (number // size)
        number %= size
    return letters
