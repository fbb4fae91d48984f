"""The server listens before it says where, and says what is in its way."""

import re
import socket

import pytest

from annotate.conftest import material
from tertium.annotate.protocols import parse_protocol
from tertium.annotate.serving.running import listening, serve
from tertium.annotate.study import Design, create
from tertium.errors import InputError


class Enough(Exception):
    """The line was said that a test waits for."""


@pytest.fixture
def study(tmp_path):
    path = tmp_path / "study.db"
    create(path, material(), Design(parse_protocol("esa"), ["anna", "ben"]))
    return path


def test_whoever_follows_a_link_at_once_waits_for_the_page(study):
    def say(line):
        if link := re.search(r"http://localhost:(\d+)/a/", line):
            socket.create_connection(("127.0.0.1", int(link[1])), timeout=5).close()
            raise Enough

    with pytest.raises(Enough):
        serve(study, say=say)


def test_a_port_that_is_taken_is_passed_over_or_refused(study):
    def say(line):
        if link := re.search(r"http://localhost:(\d+)/a/", line):
            ports.append(int(link[1]))
            if len(ports) == 1:
                serve(study, say=say)  # the next free one, without a word
            raise Enough

    ports = []
    with pytest.raises(Enough):
        serve(study, say=say)
    assert ports[0] < ports[1]
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(InputError, match=f"Port {port} of 127.0.0.1 cannot be used: .* Take another port="):
            serve(study, port=port, say=say)


@pytest.mark.parametrize("host", ["192.0.2.1", "nowhere.invalid", ""])
def test_a_host_that_is_not_here_is_refused(study, host):
    with pytest.raises(InputError, match=f"^{host or 'An empty host'} is no address of this machine"):
        serve(study, host=host)


@pytest.mark.parametrize("port", [-1, 65536])
def test_a_port_that_is_none_is_refused(study, port):
    with pytest.raises(InputError, match=f"{port} is no port"):
        serve(study, port=port)


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="needs IPv6")
def test_any_address_of_ipv6_is_none_of_ipv4():
    with listening("::", 0) as place:
        assert place.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY) == 1
        socket.create_connection(("::1", place.getsockname()[1]), timeout=5).close()
