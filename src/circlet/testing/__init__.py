"""Doubles that are as real as a test needs: an encoder whose space can be read, a scorer that is sure of
itself, a store in memory, a Milvus server, a user who follows a script, a chat server that says what it is
told to say. For your tests as well as ours."""

from circlet.testing.chat_server import FakeChatServer
from circlet.testing.encoder import ToyEncoder
from circlet.testing.memory_store import MemoryStore, whole
from circlet.testing.milvus_server import MilvusServer, milvus_server, why_no_server
from circlet.testing.scorer import ToyScorer
from circlet.testing.user import ScriptedMove, ScriptedUser

__all__ = [
    "FakeChatServer",
    "MemoryStore",
    "MilvusServer",
    "ScriptedMove",
    "ScriptedUser",
    "ToyEncoder",
    "ToyScorer",
    "milvus_server",
    "whole",
    "why_no_server",
]
