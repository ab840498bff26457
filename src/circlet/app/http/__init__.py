"""The server and its JSON API."""
