"""The server: one backend with web pages for people, REST for programs and MCP for assistants."""

from pincite.serve.backend import Backend
from pincite.serve.settings import Settings

__all__ = ["Backend", "Settings"]
