"""Past the last page the book resists, and then its back cover closes."""

from controls import caption
from steps import BOTH, MOVING, in_book

START, PULLED, FAR = (780, 384), (560, 384), (300, 384)
# Lists the sides of the board that are seen one after the other.
WATCH = """(() => {
  const stage = document.getElementById('stage')
  window.__sides = []
  const see = () => {
    const board = stage.querySelector('.page.back')
    const isSeen = board !== null && board.style.visibility === 'visible'
    const side = isSeen ? (board.classList.contains('outside') ? 'outside' : 'inside') : 'none'
    if (window.__sides.at(-1) !== side) window.__sides.push(side)
  }
  new MutationObserver(see).observe(stage, { subtree: true, attributes: true, attributeFilter: ['class', 'style'] })
  see()
})()"""


@MOVING
@BOTH
def test_a_finger_past_the_last_page_lifts_the_board_and_then_closes_it(reader, open_books):
    in_book(reader, open_books)
    with reader.settling("book"):
        reader.key("End")
    rest = reader.look()
    page = caption(reader)["page"]

    reader.press([START], touch=True)
    reader.move([PULLED], 20)
    reader.wait_for("!__lectern.settled")
    pulled = reader.look()
    assert pulled.screen == "book"
    # The board stands up a little, about its edge at the spine.
    before, after = (view.of("board")[0]["matrix"] for view in (rest, pulled))
    assert before[0] - 0.4 < after[0] < before[0] - 0.05, (before, after)
    reader.dwell([PULLED])
    with reader.settling("book"):
        reader.lift()
    assert reader.look().matrices == rest.matrices
    reader.wait_for("document.querySelector('[role=status]')?.textContent.includes('Turn once more')")

    reader.evaluate(WATCH)
    reader.press([START], touch=True)
    reader.move([FAR], 30)
    reader.dwell([FAR])
    with reader.settling("shelf"):
        reader.lift()
    assert reader.evaluate("__sides") == ["inside", "outside", "none"]
    # It is on its shelf with its front up, and opens where it was left.
    assert reader.look().of("cover")
    with reader.settling("book"):
        reader.key("Enter")
    assert caption(reader)["page"] == page


# Counts the covers whose picture is shown, and those among them whose boards have no colour yet.
COVERS = """(() => {
  window.__covers = { shown: 0, bare: 0 }
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      if (!target.matches?.('.bound>.face.printed')) continue
      window.__covers.shown += 1
      if (target.parentNode.style.getPropertyValue('--board') === '') window.__covers.bare += 1
    }
  }).observe(document, { subtree: true, attributes: true, attributeFilter: ['class'] })
})()"""


@BOTH
def test_the_boards_have_their_colour_with_the_picture_of_the_cover(reader, open_books):
    reader.before(COVERS)
    in_book(reader, open_books)
    with reader.settling("book"):
        reader.key("End")
    # Also those of a book that is opened far from its cover.
    reader.goto(reader.evaluate("location.href"))
    reader.ready()
    reader.wait_for("__covers.shown > 0 && document.getElementById('stage').style.getPropertyValue('--board') !== ''")
    assert reader.evaluate("__covers.bare") == 0
