"""Limits on a process: memory where the system can limit it, and no harm where it cannot."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.documents.sample_files import FILES

LIMITED = """
from pincite.documents.process_limits import lift_memory_limit, limit_memory
assert limit_memory(100_000_000)
kept = bytearray(10_000_000)
try:
    bytearray(400_000_000)
except MemoryError:
    lift_memory_limit()
    bytearray(400_000_000)
    print("limited, then lifted")
"""

WITHOUT_RESOURCE = """
import sys
sys.modules["resource"] = None  # `import resource` now raises ImportError, as on Windows
from pathlib import Path
from pincite.documents import read_file
from pincite.documents.process_limits import lift_memory_limit, limit_memory
import pincite.documents.worker
assert limit_memory(1) is False
lift_memory_limit()
for name in sys.argv[1:]:
    assert read_file(Path(name), name).documents
print("read")
"""

QUIET = """
from pincite.documents.process_limits import reserve_stdout
stdout = reserve_stdout()
print("noise", flush=True)
stdout.write(b"answer")
stdout.flush()
"""


def run(code: str, *arguments: str) -> str:
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout.strip()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits memory")
def test_memory_is_limited_until_the_limit_is_lifted() -> None:
    assert run(LIMITED) == "limited, then lifted"


def test_documents_are_read_without_the_resource_module(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.txt", "a.pdf", "a.docx")]
    for path in paths:
        path.write_bytes(FILES[path.name])
    assert run(WITHOUT_RESOURCE, *map(str, paths)) == "read"


def test_standard_output_is_reserved_for_answers() -> None:
    assert run(QUIET) == "answer"
