"""Retrieve passages with a Haystack pipeline and print them with their citations, offline: python example.py FOLDER"""

import sys
import tempfile

from haystack import Pipeline
from haystack_integrations.components.retrievers.pincite import PinciteRetriever

from pincite import Index


def main(folder: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        with Index.create(f"{place}/contracts.pincite") as index:
            index.add(folder, vectors="none")
        pipeline = Pipeline()
        pipeline.add_component("passages", PinciteRetriever(index=f"{place}/contracts.pincite", top_k=3))
        done = pipeline.run({"passages": {"query": "May the tenant underlet under the Garnet Quay lease?"}})
        for one in done["passages"]["documents"]:
            print(f"{one.meta['citation']}\n    {one.content}\n")
        print(f"likelihood that the documents answer: {done['passages']['answered']}")


if __name__ == "__main__":
    main(sys.argv[1])
