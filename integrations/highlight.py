"""Draws the answer to a question where it stands on its page: python integrations/highlight.py OUT.png

The sample lease is printed as a PDF file, indexed and searched with LangChain's retriever. The metadata of the passage
is all that the picture needs. Needs reportlab beside the adapter's own dependencies.
"""

import io
import sys
import tempfile
from pathlib import Path

from langchain_pincite import PinciteRetriever
from PIL import Image
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate

from pincite import Index
from pincite.compare.page_images import page_image

LEASE = Path(__file__).resolve().parent.parent / "samples/corpus/contracts/lease-14-garnet-quay-2019.txt"
MARGIN = 90
"""Points that are shown above and below the answer."""


def main(out: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        pdf = Path(place) / "lease.pdf"
        style = getSampleStyleSheet()["BodyText"]
        style.leading = 14
        lines = [line for line in LEASE.read_text("utf-8").splitlines() if line.strip()]
        SimpleDocTemplate(str(pdf), invariant=1).build([Paragraph(line, style) for line in lines])
        with Index.create(f"{place}/lease.pincite") as index:
            index.add(pdf, vectors="none")
            (best, *_) = PinciteRetriever(index=f"{place}/lease.pincite").invoke("May the tenant underlet?")
            about = best.metadata
            drawn = page_image(
                index.document(about["source"]), pdf, about["page"], [(about["start"], about["end"])], 60.0, 2**31
            )
        picture = Image.open(io.BytesIO(drawn))
        scale = picture.height / 841.89  # A4, in points
        boxes = [box for box in about["boxes"] if box["page"] == about["page"]]
        top = picture.height - int((max(box["top"] for box in boxes) + MARGIN) * scale)
        bottom = picture.height - int((min(box["bottom"] for box in boxes) - MARGIN) * scale)
        cropped = picture.crop((0, max(0, top), picture.width, min(picture.height, bottom)))
        cropped.quantize(32).save(out, optimize=True)
        print(f"{about['citation']}: {best.page_content}")


if __name__ == "__main__":
    main(sys.argv[1])
