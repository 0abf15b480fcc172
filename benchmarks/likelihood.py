"""Do likelihoods mean what they say? Of questions called so likely to be answered, how many are; a table and a picture.

    python benchmarks/likelihood.py [SPLIT ...] [--picture docs/likelihood.svg]

Written questions (`$PINCITE_DATA/questions`), each asked of its document with the default method.
"""

import sys
from pathlib import Path

import numpy as np
from reliability import picture

from pincite.cli.benchmark import encoder_or_none
from pincite.evaluate.data import folder_of_data
from pincite.evaluate.legalbench_rag import run_method
from pincite.evaluate.likelihoods import likelihood_figures, reliability
from pincite.evaluate.questions import question_pool, read_questions
from pincite.output import write_text
from pincite.pipeline import method


def main() -> None:
    words = sys.argv[1:]
    target = Path(words.pop(words.index("--picture") + 1)) if "--picture" in words else None
    data, chosen, tables = folder_of_data(None), method("default"), {}
    for split in [word for word in words if not word.startswith("--")] or ["dev", "dev2"]:
        pool = question_pool(data, read_questions(data / "questions" / f"{split}.jsonl"), "given")
        (result,) = run_method(chosen, pool, "keep", encoder_or_none(chosen.encoder), None).sets.values()
        labels, likely = np.array(result.likelihoods, dtype=np.float64).T
        tables[split] = reliability(likely, labels)
        figures = "  ".join(f"{name} {value:.4f}" for name, value in likelihood_figures(likely, labels).items())
        print(f"{split}: {len(labels)} questions  {figures}")
        for said, seen, count in tables[split]:
            print(f"  likelihood {said:.3f}  answered {seen:.3f}  of {count}")
    if target:
        write_text(target, picture(tables, "likelihood of an answer", "share that has one"))


if __name__ == "__main__":
    main()
