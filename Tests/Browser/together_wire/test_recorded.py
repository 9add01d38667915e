"""A recording that plays for several members."""

import json

import pytest

from sharing import KEY, both_at_rest, status


def test_a_recording_plays_pauses_and_seeks_for_all_members(reading, library_server, join):
    host = reading.host
    host.do("record", 1)
    host.wait(lambda: host.room.isRecorded, "recorded")
    pages = [host.page]
    for _ in range(2):
        with host.settling("book"):
            host.key("ArrowRight")
        pages.append(host.page)
    host.do("record", 0)
    host.wait(lambda: not host.room.isRecorded, "no longer recorded")
    [made] = json.loads(status(library_server.url + "api/recordings", KEY)[1])
    player = join(key=KEY)
    second = join(room=player.welcome.room, key=KEY)
    player.do("open", made["id"])
    for one in (player, second):
        one.wait(lambda one=one: one.playback and one.playback.isOpen, "playing")
        one.wait(lambda one=one: one.frame.screen == "book", "in the book")
    length = player.playback.length
    assert length == pytest.approx(made["seconds"], abs=0.5)
    player.do("play", "pause")
    second.wait(lambda: not second.playback.isPlaying, "paused")
    player.do("play", "seek", length)
    for one in (player, second):
        one.wait(lambda one=one: one.page == pages[-1] and one.frame.settled, "at the end")
    player.do("play", "seek", 0.0)
    player.do("play", "play")
    second.wait(lambda: second.page == pages[1] and second.playback.isPlaying, "playing again")
    ours, theirs = both_at_rest(player, second)
    assert ours == theirs
    second.do("play", "close")
    player.wait(lambda: not player.playback.isOpen, "closed")
    assert status(f"{library_server.url}api/recordings/{made['id']}")[0] in (401, 403, 404, 405)
