"""The hints for a new reader, and the sheet of keys and gestures."""

from controls import click, open_title
from inspectors import contrast
from steps import BOTH

# A reader who has not seen a hint. What the page stores later stays.
NEW = """if (location.host && !sessionStorage.getItem('began')) {
  sessionStorage.setItem('began', '1')
  localStorage.setItem('lectern-hints', '{}')
}"""
HINT = "document.querySelector('.advice:not([hidden])')?.textContent ?? ''"
# The controls and books that the hint meets.
MET = """(() => {
  const { left, top, right, bottom } = document.querySelector('.advice').getBoundingClientRect()
  const parts = '.bar button, .bar [role=slider], .wall, .spine, #stage .el:is([data-kind=page], [data-kind=cover])'
  return [...document.querySelectorAll(parts)].filter(one => one.checkVisibility({ visibilityProperty: true }))
    .filter(one => !one.closest('[data-screen=collections] #label'))
    .filter(one => (box => box.left < right && box.right > left && box.top < bottom && box.bottom > top)(
      one.getBoundingClientRect())).map(one => one.outerHTML.slice(0, 90))
})()"""


@BOTH
def test_each_hint_is_shown_where_nothing_else_is_until_it_is_followed(reader, server):
    reader.before(NEW)
    reader.open(server.url)

    def is_told(words):
        reader.wait_for(f"{HINT} === '{words}'")
        assert reader.evaluate(MET) == []

    is_told("Click a shelf to look at its books")
    assert reader.evaluate("document.querySelector('.advice').getAttribute('aria-hidden')") == "true"
    with reader.settling("shelf"):
        reader.key("Enter")
    is_told("Click a book to open it")
    # A sheet is alone.
    click(reader, "#settings")
    reader.wait_for("document.querySelector('dialog[open]')")
    assert not reader.evaluate("document.querySelector('.advice').checkVisibility({ visibilityProperty: true })")
    reader.key("Escape")
    reader.wait_for("!document.querySelector('dialog')")
    with reader.settling("book"):
        click(reader, "#open")
    is_told("Drag the corner of a page to turn it")
    with reader.settling("book"):
        reader.key("ArrowRight")
    is_told("Press F to lay the book flat")
    with reader.settling("book"):
        reader.key("f")
    reader.wait_for(f"{HINT} === ''")
    # The shelf has too few books for the last one.
    done = reader.evaluate("JSON.parse(localStorage.getItem('lectern-hints'))")
    assert done == {"list": True, "shelf": True, "turn": True, "flat": True, "over": False}
    reader.evaluate("localStorage.setItem('lectern-hints', '{\"over\":true}')")
    reader.open(server.url)
    assert not reader.evaluate("performance.getEntriesByType('resource').some(({ name }) => /hints/.test(name))")


def test_beside_a_book_that_fills_a_low_window_the_hint_is_a_column(reader, server):
    reader.before("if (location.host) localStorage.setItem('lectern-hints', '{\"list\":true,\"shelf\":true}')")
    reader.resize(844, 390)
    open_title(reader, server.url, "The Night Ferry", 8)
    reader.wait_for(f"{HINT} === 'Drag the corner of a page to turn it'")
    assert reader.evaluate(MET) == []


def test_a_question_mark_opens_the_list_of_keys_and_gestures(reader, server):
    reader.open(server.url)
    reader.key("?")
    reader.wait_for("document.querySelectorAll('dialog[open].help dt').length > 15")
    reader.wait_for("document.getAnimations().every(({ playState }) => playState !== 'running')")
    assert contrast(reader, "") == []
    reader.key("Escape")
    reader.wait_for("!document.querySelector('dialog')")
    click(reader, "#settings")
    click(reader, ".settings .inside > .plain")
    reader.wait_for("document.querySelector('dialog[open].help')")
