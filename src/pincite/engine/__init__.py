"""Engines: where a collection lives. The contract that every engine fulfils, and the engine in memory."""

from pincite.engine.contract import Candidates, CandidateView, Engine, Scope, Store
from pincite.engine.memory import MemoryEngine

__all__ = ["CandidateView", "Candidates", "Engine", "MemoryEngine", "Scope", "Store"]
