"""Retrieve passages with LlamaIndex and print them with their citations, offline: python example.py FOLDER"""

import sys
import tempfile

from llama_index.retrievers.pincite import PinciteRetriever

from pincite import Index


def main(folder: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        with Index.create(f"{place}/contracts.pincite") as index:
            index.add(folder, vectors="none")
        retriever = PinciteRetriever(index=f"{place}/contracts.pincite", similarity_top_k=3)
        for found in retriever.retrieve("May the tenant underlet under the Garnet Quay lease?"):
            print(f"{found.node.metadata['citation']}\n    {found.node.text}\n")
        retriever.close()


if __name__ == "__main__":
    main(sys.argv[1])
