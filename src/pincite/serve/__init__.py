"""Three doors to one backend: a web page for people, REST for programs, MCP for assistants."""

from pincite.serve.backend import Backend
from pincite.serve.settings import Settings

__all__ = ["Backend", "Settings"]
