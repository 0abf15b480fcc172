"""Pages of PDF files as images with highlighted boxes. A separate process draws them: a bad file can do no harm."""

import pickle
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

from pincite.documents.pdf import OCR_READER, READER
from pincite.documents.process_limits import limit_memory
from pincite.errors import DataError, UsageError
from pincite.text import Document
from pincite.text.boxes import Box

WIDTH = 1000
"""Width of an image in pixels."""
MARK = (255, 226, 122)
"""Colour of the highlight."""


class UndrawablePageError(DataError):
    """A page cannot be drawn."""


def page_image(
    document: Document, path: Path, page: int, marked: Sequence[tuple[int, int]], seconds: float, memory_bytes: int
) -> bytes:
    """A page (from 1) of a document's PDF file as PNG, with ranges of the text highlighted."""
    if not has_pages(document):
        raise UndrawablePageError(f"{document.id}: only pages of PDF files can be shown as images")
    pages = len(document.source.page_starts)
    if not 1 <= page <= pages:
        raise UndrawablePageError(f"{document.id}: no page {page}; the document has {pages}")
    boxes = [box for start, end in marked for box in document.boxes(start, end) if box.page == page]
    if find_spec("PIL") is None:
        raise UsageError("images of pages need Pillow: pip install 'pincite[serve]'")
    code = (
        f"import sys; sys.path[:] = {sys.path!r}; from pincite.compare.page_images import serve; serve({memory_bytes})"
    )
    request = pickle.dumps((str(path), page, [tuple(box) for box in boxes]))
    try:
        done = subprocess.run(
            [sys.executable, "-c", code], input=request, capture_output=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        raise UndrawablePageError(f"page {page} could not be drawn within {seconds:g} s") from None
    if done.returncode or not done.stdout.startswith(b"\x89PNG"):
        raise UndrawablePageError(f"page {page} cannot be drawn; the file may be damaged or protected by a password")
    return done.stdout


def has_pages(document: Document) -> bool:
    """Whether the pages of a document can be drawn."""
    return document.source.reader in (READER, OCR_READER)


def serve(memory_bytes: int) -> None:
    """Draws the page that standard input names, within a memory limit. Runs in the separate process."""
    limit_memory(memory_bytes)
    path, page, boxes = pickle.loads(sys.stdin.buffer.read())
    sys.stdout.buffer.write(draw(Path(path), page, [Box(*box) for box in boxes]))


def draw(path: Path, page: int, boxes: Sequence[Box]) -> bytes:
    """The page as PNG with the boxes highlighted."""
    from PIL import Image, ImageChops, ImageDraw
    from pypdfium2 import PdfDocument

    with PdfDocument(path) as pdf:
        shown = pdf[page - 1]
        bitmap = shown.render(scale=WIDTH / max(1.0, shown.get_width()))
        # Boxes count from the page as it is stored: it may be rotated or cropped.
        place = bitmap.get_posconv(shown)
        corners = [(place.to_bitmap(box.left, box.bottom), place.to_bitmap(box.right, box.top)) for box in boxes]
        picture = bitmap.to_pil().convert("RGB")
    layer = Image.new("RGB", picture.size, "white")
    pen = ImageDraw.Draw(layer)
    for (x1, y1), (x2, y2) in corners:
        pen.rectangle((min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)), fill=MARK)
    out = BytesIO()
    ImageChops.multiply(picture, layer).save(out, "PNG")
    return out.getvalue()
