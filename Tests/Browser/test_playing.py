"""A recording that plays by itself, for those who use the keyboard."""

from controls import click
from steps import BOTH_IN_ALL, record_turns

TURNS = 6
REST = "__lectern.isReady"
PLAYING = "__lectern.session.playback?.isPlaying"
# Whether the focus is on the button of the strip, and neither is hidden.
SEEN = """(() => {
  const one = document.activeElement
  const { outlineStyle, outlineWidth } = getComputedStyle(one)
  const isOpaque = (node) => node === null || +getComputedStyle(node).opacity === 1 && isOpaque(node.parentElement)
  return one.closest('#playback') !== null && isOpaque(one) && outlineStyle === 'solid' && parseFloat(outlineWidth) >= 2
})()"""


@BOTH_IN_ALL
def test_a_recording_is_paused_by_the_keyboard_while_its_strip_stays(reader, server):
    """Item 18: what plays by itself can be paused, and the strip with the button does not hide meanwhile."""
    record_turns(server.url, TURNS)
    reader.open(server.url)
    click(reader, "#recordings")
    reader.wait_for("document.querySelector('.recordings .entry')")
    click(reader, ".recordings .entry")
    reader.wait_for(f"{PLAYING} && document.getElementById('playback')?.hidden === false")
    # Another button than the close one may have the focus of the sheet that has closed.
    for _ in range(30):
        if reader.evaluate("document.activeElement.matches('#playback .icon')"):
            break
        reader.key("Tab")
    reader.wait_for(f"!__lectern.settled || !({PLAYING})")
    assert reader.evaluate(SEEN)
    reader.wait_for("document.activeElement.getAttribute('aria-label') === 'Pause'")
    reader.key("Enter")
    reader.wait_for(f"{PLAYING} === false && document.activeElement.getAttribute('aria-label') === 'Play'")
    moment = reader.evaluate("__lectern.session.playback.position")
    reader.wait_for(REST)
    assert reader.evaluate("__lectern.session.playback.position") == moment
    assert moment < reader.evaluate("__lectern.session.playback.length")
    assert reader.evaluate(SEEN)
