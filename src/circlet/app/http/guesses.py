"""How often an address may show a wrong token."""

import ipaddress
import time
from collections import deque
from collections.abc import Callable

# Wrong tokens that an address may show in so many seconds.
MOST, SECONDS = 10, 60.0
# Addresses that are remembered at once; the one that guessed longest ago is forgotten first.
_REMEMBERED = 10_000


class Guesses:
    """Wrong tokens of the last minute by address. An address that showed too many is not even asked.

    >>> guesses = Guesses(most=2, clock=lambda: 0.0)
    >>> for _ in range(2): guesses.wrong("192.0.2.1")
    >>> guesses.wait("192.0.2.1"), guesses.wait("192.0.2.2")
    (60, 0)
    """

    def __init__(self, most: int = MOST, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._times: dict[str, deque[float]] = {}

    def wrong(self, address: str) -> None:
        """One more wrong token from this address."""
        address = network_of(address)
        # Put last, so that the first is the one that has been quiet for longest.
        times = self._times.pop(address, deque(maxlen=self._most))
        times.append(self._clock())
        self._times[address] = times
        if len(self._times) > _REMEMBERED:
            del self._times[next(iter(self._times))]

    def wait(self, address: str) -> int:
        """How many seconds this address has to wait before it is asked again; mostly 0."""
        times = self._times.get(network_of(address))
        if times is None or len(times) < self._most:
            return 0
        return max(0, round(times[0] + SECONDS - self._clock()))


def network_of(address: str) -> str:
    """The address as one machine's: whoever has an IPv6 address has a whole network of them.

    >>> network_of("2001:db8:1:2:3::4"), network_of("192.0.2.1")
    ('2001:db8:1:2::/64', '192.0.2.1')
    """
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return address
    if known.version == 4:
        return address
    return str(known.ipv4_mapped or ipaddress.ip_network(f"{address.partition('%')[0]}/64", strict=False))
