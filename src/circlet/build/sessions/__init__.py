"""Sessions of several turns from single queries or from a folder: built, filtered, written (paper 003)."""

from circlet.build.sessions.building import DEVIATIONS, MadeSession, SessionPlan, make_sessions
from circlet.build.sessions.filters import FilterReport, SessionFilter, filtered, sweep
from circlet.build.sessions.starts import starts
from circlet.build.sessions.writing import session_benchmark, write_circled

__all__ = [
    "DEVIATIONS",
    "FilterReport",
    "MadeSession",
    "SessionFilter",
    "SessionPlan",
    "filtered",
    "make_sessions",
    "session_benchmark",
    "starts",
    "sweep",
    "write_circled",
]
