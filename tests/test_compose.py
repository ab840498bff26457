"""compose.yaml and the proxy's settings say what the commands and each other understand."""

import ipaddress
import re
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from circlet.app.cli.main import cli

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def written() -> dict[str, Any]:
    found = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def command_of(service: dict[str, Any]) -> tuple[click.Command, list[str]]:
    """The circlet command of a service, and its options."""
    name, first, *rest = service["command"]
    assert name == "circlet"
    command = cli.get_command(click.Context(cli), first)
    assert command is not None
    return command, rest


def test_every_name_is_of_something_that_is_there(written: dict[str, Any]) -> None:
    services = written["services"]
    for name, service in services.items():
        assert "image" in service, name
        for other in service.get("depends_on", ()):
            assert other in services, name
        for volume in service.get("volumes", ()):
            source, target = re.fullmatch(r"(\$\{[^}]*\}|[^:]+):(/[^:]*)(?::ro)?", volume).groups()  # type: ignore[union-attr]
            there = source.startswith("${") or (ROOT / source).is_file() or source in written["volumes"]
            assert there, f"{name} mounts {source} at {target}"
        for config in service.get("configs", ()):
            assert config["source"] in written["configs"]


def test_commands_are_understood_and_say_what_the_store_is(written: dict[str, Any]) -> None:
    services = written["services"]
    for name in ("page-1", "page-2", "index"):
        command, options = command_of(services[name])
        context = click.Context(command, info_name=name)
        # An option that is not there is an error here.
        command.make_parser(context).parse_args(list(options))
        address = services[name]["environment"]["CIRCLET_STORE"]
        host, port = re.fullmatch(r"milvus://([\w-]+):(\d+)/\w+", address).groups()  # type: ignore[union-attr]
        assert (host in services, port) == (True, "19530")
        assert "milvus" in services[name]["build"]["args"]["EXTRAS"].split(",")
    assert services["page-1"] == services["page-2"]


def test_nothing_but_the_proxy_is_open_and_only_to_this_machine(written: dict[str, Any]) -> None:
    open_ones = {
        name: service["ports"] for name, service in written["services"].items() if "ports" in service
    }
    assert open_ones == {"proxy": ["127.0.0.1:8000:8000"]}


def test_the_proxy_speaks_to_both_pages_and_is_believed(written: dict[str, Any]) -> None:
    settings = (ROOT / "deploy/nginx.conf").read_text(encoding="utf-8")
    pages = [name for name in written["services"] if name.startswith("page-")]
    assert re.findall(r"^\s*server (\S+):8000 ", settings, re.MULTILINE) == pages
    assert "listen 8000;" in settings
    assert settings.count("{") == settings.count("}")
    _, options = command_of(written["services"]["page-1"])
    believed = ipaddress.ip_network(options[options.index("--proxy") + 1])
    [net] = written["networks"]["default"]["ipam"]["config"]
    assert ipaddress.ip_network(net["subnet"]) == believed
