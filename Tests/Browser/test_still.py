"""A reader that prefers reduced motion: it sees the end of each motion instead of the motion."""

from controls import click
from server import Server
from steps import MOVING, LEFT, RIGHT, assert_same, in_book, open_beside, record_turns, to_book

# Records each later view of the stage: the matrices of the visible pages.
WATCH = """(() => {
  window.__pictures = []
  const stage = document.getElementById('stage')
  const note = () => {
    const picture = [...stage.querySelectorAll('.el[data-kind=page]')]
      .filter(page => page.style.visibility !== 'hidden').map(page => `${page.dataset.index} ${page.style.transform}`)
      .sort().join('; ')
    if (picture !== window.__pictures.at(-1)) window.__pictures.push(picture)
  }
  note()
  new MutationObserver(note).observe(stage, { subtree: true, childList: true, attributes: true })
})()"""
PICTURES = "window.__pictures.length"


@MOVING
def test_reduced_motion_shows_two_views_of_a_turn_that_others_see_as_motion(chromium, server, open_books):
    mover, still = chromium.reader(), chromium.reader(moves=False)
    try:
        view = in_book(mover, open_books)
        open_beside(still, mover, server.url, view)
        for reader in (mover, still):
            reader.evaluate(WATCH)
        with mover.settling("book"):
            mover.key("ArrowRight")
        still.wait_for(f"{PICTURES} === 2 && __lectern.settled")
        assert mover.evaluate(PICTURES) > 5
        # During the reader's own drag nothing changes until the leaf has fallen.
        before = still.look().spread
        still.press([RIGHT])
        still.move([LEFT], 24)
        assert still.evaluate(PICTURES) == 2
        still.lift()
        still.wait_for(f"{PICTURES} === 3 && __lectern.settled")
        mover.wait_for("__lectern.settled")
        assert still.look().spread != before
        assert_same(still.look(), mover.look())
        assert still.evaluate(PICTURES) == 3
        assert still.errors == [] and mover.errors == []
    finally:
        mover.close()
        still.close()


def test_a_recording_shows_its_end_and_can_be_played_again(chromium, server):
    record_turns(server.url)
    reader = chromium.reader()
    try:
        reader.open(server.url)
        reader.wait_for("document.getElementById('recordings')")
        click(reader, "#recordings")
        reader.wait_for("document.querySelector('.recordings .entry')")
        click(reader, ".recordings .entry")
        reader.wait_for("document.querySelector('#playback [aria-label=\"Play again\"]')")
        reader.wait_for("document.querySelector('#playback .time')?.textContent === 'The end'")
        click(reader, "#playback [aria-label='Play again']")
        reader.wait_for("__lectern.session.playback?.isPlaying === true")
        assert reader.errors == []
    finally:
        reader.close()


def test_a_server_that_logs_all_input_says_that_a_room_cannot_be_recorded(chromium, tmp_path):
    server = Server("--record", str(tmp_path / "all.ndjson"))
    reader = chromium.reader()
    try:
        to_book(reader, server.url)
        reader.evaluate("__lectern.app.send(new Uint8Array([0x1b, 1]))")
        reader.wait_for("document.getElementById('notice').textContent.includes('--record')")
        assert reader.evaluate("!document.getElementById('notice').hidden")
        assert reader.errors == []
    finally:
        reader.close()
        assert server.stop() == 0, server.output
