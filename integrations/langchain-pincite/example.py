"""Retrieve passages with LangChain and print them with their citations, offline: python example.py FOLDER"""

import sys
import tempfile

from langchain_core.documents import Document
from langchain_core.runnables import RunnableLambda
from langchain_pincite import PinciteRetriever

from pincite import Index


def cited(found: list[Document]) -> str:
    return "\n\n".join(f"{one.metadata['citation']}\n    {one.page_content}" for one in found)


def main(folder: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        with Index.create(f"{place}/contracts.pincite") as index:
            index.add(folder, vectors="none")
        chain = PinciteRetriever(index=f"{place}/contracts.pincite", k=3) | RunnableLambda(cited)
        print(chain.invoke("May the tenant underlet under the Garnet Quay lease?"))


if __name__ == "__main__":
    main(sys.argv[1])
