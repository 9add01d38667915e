"""The fixtures that the tests of the protocol share: one server, and a room for each test that needs one.

The tests cover reading together, between clients without a browser.
"""

import pytest

from server import Server
from sharing import KEY, Reading
from wireclient import Client


@pytest.fixture(scope="session")
def library_server():
    """A server whose library needs a key."""
    server = Server("--library-key", KEY)
    yield server
    assert server.stop() == 0, server.output


@pytest.fixture(scope="session")
def hosts(library_server, request):
    """Hosts with an open book, one for each test of a room. They open concurrently, because one takes long."""
    rooms = sum("hosts" in test.fixturenames for test in request.session.items)
    hosts = [Client(library_server.url, key=KEY, name="Maren", keeps=True) for _ in range(rooms)]
    for host in hosts:
        host.key("Enter")
        host.key("Enter")
    for host in hosts:
        host.wait(lambda host=host: host.frame.screen == "book" and host.frame.settled, "open")
        host.do("share")
    for host in hosts:
        host.wait(lambda host=host: host.links and host.server_now() > host.frame.time, "shared")
    waiting = iter(hosts)
    yield waiting
    for host in hosts:
        host.close()
        assert host.fault is None


@pytest.fixture
def join(library_server):
    """Creates clients, which leave after the test."""
    clients = []

    def make(url=library_server.url, **options):
        clients.append(Client(url, keeps=True, **options))
        return clients[-1]

    yield make
    for client in clients:
        client.close()
        assert client.fault is None


@pytest.fixture
def reading(hosts, join):
    """A shared room with an open book."""
    return Reading(next(hosts), join)
