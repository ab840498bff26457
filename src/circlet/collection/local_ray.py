"""Beginning and ending with Ray: a quiet cluster of our own on this machine, or one that is running."""

import logging
import os
import secrets
import shutil
import sys
import tempfile
import warnings
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from circlet.core import ServiceError, UsageError
from circlet.core.processes import lives, processors

# What passes between workers and us is a few megabytes at a time.
_SHARED_BYTES = 128 << 20
_PREFIX = "circlet-ray-"
_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_enable_metrics_collection": "0",
    # Workers of our own are as urgent as we are, not less.
    "RAY_worker_niceness": "0",
    # It tells of every worker that dies, on standard output, whatever else it is told not to say.
    "RAY_DEDUP_LOGS": "1",
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".*",
}


def start(where: str) -> tuple[int, int]:
    """Begin with the cluster that `where` means: how many workers there are, and the threads of each.

    `ray` is one of our own with a worker for each processor, `ray:4` one with four; `ray://host:10001`
    one that is running, `ray://auto` the one that this machine is part of.
    """
    os.environ.update(_QUIET)
    kind, _, rest = where.partition(":")
    if rest.startswith("//"):
        return _joined(where), 1
    if rest and not (rest.isdecimal() and 0 < int(rest) < 1000):
        raise UsageError(f"{where}: write ray, {kind}:4 for four workers, or ray://host:10001")
    count = int(rest or processors())
    _started(count)
    return count, max(1, processors() // count)


def _started(count: int) -> None:
    """A cluster of our own, which nobody but us can speak to: on the loopback, with a secret word."""
    # Ray reads these once, when it is loaded: whoever did that before us has it as it was then.
    if "ray" not in sys.modules:
        # By this Ray stays on the loopback on every system.
        os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
        os.environ["RAY_AUTH_MODE"] = "token"
        os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)
    import ray

    _sweep()
    # Sockets lie in it, whose paths must be short, wherever temporary files are kept.
    place = "/tmp" if Path("/tmp").is_dir() else None
    folder = tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=place)
    cores = max(count, processors())
    try:
        ray.init(
            address="local",
            num_cpus=cores,
            num_gpus=0,
            include_dashboard=False,
            log_to_driver=False,
            logging_level=logging.CRITICAL,
            object_store_memory=_SHARED_BYTES,
            _temp_dir=folder,
            _node_ip_address="127.0.0.1",
        )
    except Exception as error:
        told = " ".join(str(error).split())[:200]
        shut_down([])
        raise ServiceError(
            f"Ray could not be started on this machine ({told}); leave --workers out"
        ) from None


def _joined(where: str) -> int:
    """A cluster that is running; it takes as many workers as it has processors."""
    import ray

    address = "auto" if where == "ray://auto" else where
    # What it warns of on the terminal is in the error as well.
    warnings.filterwarnings("ignore", module=r"ray\.")
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.CRITICAL, namespace="circlet")
        return max(1, int(ray.available_resources().get("CPU", 1)))
    except Exception as error:
        told = " ".join(str(error).split())[:200]
        raise ServiceError(f"{where}: no Ray cluster answers there ({told})") from None


def shut_down(actors: Sequence[Any]) -> None:
    """End our workers, and with them a cluster of our own."""
    import ray

    with suppress(Exception):
        for actor in actors:
            ray.kill(actor)
    ray.shutdown()
    _sweep()


def _sweep() -> None:
    """Remove what clusters of ours left behind, also one that was killed."""
    for folder in Path("/tmp").glob(f"{_PREFIX}*"):
        owner = folder.name.removeprefix(_PREFIX).partition("-")[0]
        with suppress(OSError, ValueError):
            if folder.stat().st_uid == os.getuid() and not _runs(int(owner)):
                shutil.rmtree(folder, ignore_errors=True)


def _runs(process: int) -> bool:
    """Whether a process of ours is there; this one's cluster is over when it is asked."""
    return process != os.getpid() and lives(process)
