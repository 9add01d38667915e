"""A server of another library that broadcasts messages of one size, for a comparison.

Usage: python peers.py websockets|picows SIZE HZ

Prints its port. Each uses what its documentation recommends for a broadcast, without compression and pings.
"""

import asyncio
import sys

# The kinds of the first message to a member and of the others, by which the members count them.
WHOLE, DRIVEN = 0x83, 0x84


def listening(server):
    """Prints the port of a server of asyncio."""
    print(server.sockets[0].getsockname()[1], flush=True)


async def ticks(hz):
    """Yields at a rate."""
    loop = asyncio.get_running_loop()
    due = loop.time()
    while True:
        due = max(due + 1 / hz, loop.time())
        await asyncio.sleep(due - loop.time())
        yield


def first_of(message):
    """Returns the message with which a member begins."""
    return bytes([WHOLE]) + message[1:]


async def run_websockets(message, hz):
    """Broadcasts with `websockets.broadcast`."""
    from websockets.asyncio.server import broadcast, serve

    members = set()

    async def handle(member):
        await member.send(first_of(message))
        members.add(member)
        try:
            async for _ in member:
                pass
        finally:
            members.discard(member)

    async with serve(handle, "127.0.0.1", 0, compression=None, ping_interval=None) as server:
        listening(server)
        async for _ in ticks(hz):
            broadcast(members, message)


async def run_picows(message, hz):
    """Sends to each member with picows."""
    import picows

    members = set()

    class Member(picows.WSListener):
        def on_ws_connected(self, transport):
            transport.send(picows.WSMsgType.BINARY, first_of(message))
            members.add(transport)

        def on_ws_disconnected(self, transport):
            members.discard(transport)

    server = await picows.ws_create_server(lambda _: Member(), "127.0.0.1", 0)
    listening(server)
    async for _ in ticks(hz):
        for member in members:
            member.send(picows.WSMsgType.BINARY, message)


def main():
    """Runs the server that the arguments name."""
    kind, size, hz = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    run = {"websockets": run_websockets, "picows": run_picows}[kind]
    asyncio.run(run(bytes([DRIVEN]) + bytes(size - 1), hz))


if __name__ == "__main__":
    main()
