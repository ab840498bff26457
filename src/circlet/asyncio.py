"""A circlet that runs elsewhere, awaited: `from circlet.asyncio import Client`."""

from circlet.app.http.async_client import AsyncClient as Client
from circlet.app.http.async_client import AsyncSession as RemoteSession

__all__ = ["Client", "RemoteSession"]
