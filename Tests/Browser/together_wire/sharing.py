"""A shared room with an open book, and the steps and waits that its tests share."""

import math
import time
import urllib.error
import urllib.request

import wire

KEY = "a-key-for-the-tests-of-rooms"
KEY_NEEDED, LOCKED, SHOWN_OUT, ENDED, TOO_MANY_TRIES, REPLACED = 4005, 4006, 4007, 4009, 4010, 4011
ROOM_GONE, MALFORMED, GOING_AWAY = 4012, 4000, 1001
RIGHT, LEFT, Y = 760, 160, 384
# Clients with wrong keys have to wait, so each of them uses its own address.
elsewhere = (f"127.0.0.{number}" for number in range(2, 250))


class Reading:
    """A shared room with an open book, and ways into it."""

    def __init__(self, host, join):
        self._join = join
        self.host = host
        self.name = host.welcome.room
        self.links = host.links

    def guest(self, secret=None, **options):
        """Joins by a link, by default that of followers, and returns the member."""
        return self._join(room=self.name, key=secret or self.links.follow, **options)

    def leads(self):
        """Makes the host the only one that leads."""
        self.rule("hostLeads")
        return self

    def rule(self, policy, **changes):
        """Sets the policy and other settings of the room."""
        now = {name: getattr(self.host.room, name) for name in wire.SETTINGS} | changes
        self.host.do("settings", wire.POLICY[policy], wire.numbers(wire.SETTINGS, **now))
        self.host.wait(
            lambda: self.host.room.policy == policy
            and all(getattr(self.host.room, name) == value for name, value in now.items()),
            f"a room of {policy}",
        )


def status(url, key=None):
    """Requests an address, and returns the status and the body of the response."""
    fields = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=fields)) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as problem:
        return problem.code, problem.read()


def is_role(client, role):
    """Waits until a client has a role."""
    client.wait(lambda: client.role.role == role, role)


def swing(elapsed):
    """Returns the position of a finger that moves a leaf to and fro."""
    return RIGHT - (RIGHT - LEFT) * (1 - math.cos(4 * elapsed)) / 2, Y


def echoed(client):
    """Waits until the server has handled all messages of a client."""
    asked = time.monotonic()
    client.do("clock", asked)
    client.wait(lambda: client.heard >= asked, "echoed")


def caught(one, other):
    """Waits until a client has the frame of another one, at rest, and returns what both show."""
    one.wait(
        lambda: one.frame.settled and one.frame.number == other.frame.number,
        f"at frame {other.frame.number}",
    )
    return one.faces(), other.faces()


def both_at_rest(one, other):
    """Waits until two clients show the same frame at rest."""
    one.wait(
        lambda: one.frame.settled and other.frame.settled
        and one.frame.number == other.frame.number, "both at rest",
    )
    return one.faces(), other.faces()
