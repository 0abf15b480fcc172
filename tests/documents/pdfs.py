"""Builds the PDFs that the tests read: text at known places, columns in either order, scans."""

from collections.abc import Callable, Sequence
from io import BytesIO

from reportlab.pdfgen.canvas import Canvas

WIDTH, HEIGHT = 595, 842
FONT, SIZE = "Times-Roman", 11
PROSE = (
    "The Receiving Party shall hold the Confidential Information in strict confidence and shall use it for the Purpose "
    "only. It shall limit access to those employees who need to know it and who are bound by duties that protect it no "
    "less than this Agreement does. "
)


def pdf(*pages: Callable[[Canvas], None], encrypt: str | None = None) -> bytes:
    """A PDF whose pages are drawn by the functions."""
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=(WIDTH, HEIGHT), encrypt=encrypt)
    for draw in pages:
        canvas.setFont(FONT, SIZE)
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def lines(*texts: str, x: float = 72, y: float = 760, pitch: float = 14) -> Callable[[Canvas], None]:
    """Draws each text on a line of its own."""

    def draw(canvas: Canvas) -> None:
        for i, text in enumerate(texts):
            canvas.drawString(x, y - i * pitch, text)

    return draw


def both(*draws: Callable[[Canvas], None]) -> Callable[[Canvas], None]:
    """Draws several things on one page."""

    def draw(canvas: Canvas) -> None:
        for one in draws:
            canvas.setFont(FONT, SIZE)
            one(canvas)

    return draw


def wrapped(text: str, width: float, size: float = SIZE, font: str = FONT) -> list[str]:
    """The lines of a text that is set in a column."""
    canvas = Canvas(BytesIO())
    rows: list[str] = []
    for word in text.split():
        longer = f"{rows[-1]} {word}" if rows else word
        if rows and canvas.stringWidth(longer, font, size) <= width:
            rows[-1] = longer
        else:
            rows.append(word)
    return rows


def columns(left: Sequence[str], right: Sequence[str], *, by_rows: bool, y: float = 700) -> Callable[[Canvas], None]:
    """Two columns, drawn row by row or one after the other."""

    def draw(canvas: Canvas) -> None:
        rows = max(len(left), len(right))
        order = [(side, row) for row in range(rows) for side in (0, 1)]
        if not by_rows:
            order.sort()
        for side, row in order:
            text = (left, right)[side]
            if row < len(text):
                canvas.drawString((60, 312)[side], y - 13 * row, text[row])

    return draw


def picture(text: Sequence[str], size: int = 40) -> Callable[[Canvas], None]:
    """A page that is only a picture of text, as a scanner makes it."""
    from PIL import Image, ImageDraw, ImageFont
    from reportlab.lib.utils import ImageReader

    image = Image.new("L", (1654, 2339), 255)
    drawing = ImageDraw.Draw(image)
    for i, line in enumerate(text):
        drawing.text((200, 300 + i * 2 * size), line, fill=0, font=ImageFont.load_default(size))
    return lambda canvas: canvas.drawImage(ImageReader(image), 0, 0, WIDTH, HEIGHT)
