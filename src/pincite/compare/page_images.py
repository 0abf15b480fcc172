"""Pages of PDF files as images with highlighted boxes. A process in the readers' sandbox draws them: a bad file can do
no harm."""

import os
import pickle
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

from pincite.documents.failures import Unreadable
from pincite.documents.limits import Limits
from pincite.documents.pdf import OCR_READER, READER
from pincite.documents.process_limits import ONE_THREAD, kill_group, limit_cpu, limit_memory
from pincite.documents.read import file_bytes
from pincite.documents.sandbox import enter, unexpected
from pincite.errors import DataError, UsageError
from pincite.text import Document
from pincite.text.boxes import Box

WIDTH = 1000
"""Width of an image in pixels."""
MARK = (255, 226, 122)
"""Colour of the highlight."""

MOST_IMAGE = 64 * 1024 * 1024
"""Bytes of an image."""


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
    try:
        data = file_bytes(path, Limits())
    except Unreadable as error:
        raise UndrawablePageError(f"{document.id}: {error.advice}") from None
    image = _drawn_apart((data, page, [tuple(box) for box in boxes]), seconds, memory_bytes)
    if image is None:
        raise UndrawablePageError(f"page {page} could not be drawn within {seconds:g} s")
    if not image.startswith(b"\x89PNG") or len(image) > MOST_IMAGE:
        raise UndrawablePageError(f"page {page} cannot be drawn; the file may be damaged or protected by a password")
    return image


def _drawn_apart(request: object, seconds: float, memory_bytes: int) -> bytes | None:
    """What a process of its own answers, and perhaps not all of it; None if it took too long."""
    late = threading.Event()
    with tempfile.TemporaryDirectory(prefix="pincite-page-") as own:
        code = f"from pincite.compare.page_images import serve; serve({own!r}, {seconds!r}, {memory_bytes!r})"
        process = subprocess.Popen(
            [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}; {code}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={**os.environ, **ONE_THREAD},
        )
        assert process.stdin is not None
        assert process.stdout is not None

        def stop() -> None:
            late.set()
            kill_group(process)

        clock = threading.Timer(seconds, stop)
        clock.start()
        try:
            with suppress(OSError), process.stdin:  # it may have ended
                pickle.dump(request, process.stdin)
            with process.stdout:
                image = process.stdout.read(MOST_IMAGE + 1)
        finally:
            clock.cancel()
            kill_group(process)
            process.wait()
    return None if late.is_set() else image


def has_pages(document: Document) -> bool:
    """Whether the pages of a document can be drawn."""
    return document.source.reader in (READER, OCR_READER)


def serve(own: str, seconds: float, memory_bytes: int) -> None:
    """Draws the page that standard input holds, shut in and within limits. Runs in the separate process."""
    limit_cpu(seconds * (os.cpu_count() or 1), for_good=True)
    data, page, boxes = pickle.load(sys.stdin.buffer)
    if unexpected(enter(Path(own))):
        return
    limit_memory(memory_bytes)
    sys.stdout.buffer.write(draw(data, page, [Box(*box) for box in boxes]))


def draw(data: bytes, page: int, boxes: Sequence[Box]) -> bytes:
    """The page as PNG with the boxes highlighted."""
    from PIL import Image, ImageChops, ImageDraw
    from pypdfium2 import PdfDocument

    with PdfDocument(data) as pdf:
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
