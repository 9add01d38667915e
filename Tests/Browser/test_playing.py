"""A recording that plays by itself."""

import pytest

import wire
from controls import click
from steps import BOTH_IN_ALL, MOVING, record_turns

TURNS = 3
PLAYING = "__lectern.session.playback?.isPlaying"
# Whether the focus is on the button of the strip, and neither is hidden.
SEEN = """(() => {
  const one = document.activeElement
  const { outlineStyle, outlineWidth } = getComputedStyle(one)
  const isOpaque = (node) => node === null || +getComputedStyle(node).opacity === 1 && isOpaque(node.parentElement)
  return one.closest('#playback') !== null && isOpaque(one) && outlineStyle === 'solid' && parseFloat(outlineWidth) >= 2
})()"""


@pytest.fixture(scope="module")
def last(server, open_books):
    """The last page of a recording of a few turns."""
    return record_turns(server.url, TURNS, open_books.take())


def play(reader, url):
    """Opens the page, and the recording from its list; returns the view of the page before."""
    view = reader.open(url)
    click(reader, "#recordings")
    click(reader, ".recordings .entry")
    reader.wait_for("__lectern.session.playback && document.getElementById('playback')?.hidden === false")
    return view


@MOVING
@BOTH_IN_ALL
def test_a_recording_is_paused_by_the_keyboard_while_its_strip_stays(reader, server, last):
    """Item 18: what plays by itself can be paused, and the strip with the button does not hide meanwhile."""
    play(reader, server.url)
    # Another button than the close one may have the focus of the sheet that has closed.
    for _ in range(30):
        if reader.evaluate("document.activeElement.matches('#playback .icon')"):
            break
        reader.key("Tab")
    # It plays from the start, however long the way to the button has taken.
    reader.evaluate(f"__lectern.app.send(new Uint8Array({list(wire.encode('play', 'seek', 0.0))}))")
    reader.wait_for("__lectern.session.playback.position === 0")
    if not reader.evaluate(PLAYING):
        reader.key("Enter")
    reader.wait_for(f"{PLAYING} && !__lectern.settled")
    assert reader.evaluate(SEEN)
    reader.wait_for("document.activeElement.ariaLabel === 'Pause'")
    reader.key("Enter")
    reader.wait_for(f"{PLAYING} === false && document.activeElement.ariaLabel === 'Play'")
    moment = reader.evaluate("__lectern.session.playback.position")
    reader.ready()
    assert reader.evaluate("__lectern.session.playback.position") == moment
    assert moment < reader.evaluate("__lectern.session.playback.length")
    assert reader.evaluate(SEEN)


def test_a_recording_plays_pauses_and_seeks(reader, server, last):
    """test_recorded.py tests that all members see it."""
    play(reader, server.url)
    slide(reader, "End")
    reader.wait_for(f"__lectern.caption.page === {last} && __lectern.isReady && {PLAYING} === false")
    click(reader, "#playback [aria-label='Play again']")
    reader.wait_for(f"{PLAYING} === true")
    click(reader, "#playback [aria-label=Pause]")
    reader.wait_for(f"{PLAYING} === false")
    assert reader.evaluate("__lectern.session.playback.position < __lectern.session.playback.length")
    slide(reader, "Home")
    reader.wait_for("__lectern.caption.page === 1 && __lectern.isReady")
    click(reader, "#playback [aria-label=Play]")
    reader.wait_for("__lectern.caption.page > 1")
    click(reader, "#playback [aria-label='Close the recording']")
    reader.wait_for("__lectern.session.playback === null")


def slide(reader, key):
    """Moves the slider of the recording by a key."""
    reader.evaluate("document.querySelector('#playback input').focus()")
    reader.key(key)
