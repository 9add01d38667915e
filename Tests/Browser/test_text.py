"""The words on the pages: found, selected, copied and read out."""

import pytest

from controls import open_title
from fixtures import PDF_TITLE
from steps import BOTH, BOTH_IN_ALL, LEFT, MOVING, RIGHT, in_book, mainly

REST = "__lectern.isReady"

# Maps each page of the file to the layer of its words.
LAYERS = """Object.fromEntries(__lectern.stage.spread.map(({ root, content }) =>
  [/\\/p\\/(\\d+)\\//.exec(content.imageURL)?.[1], root.querySelector('.text')]).filter(([, layer]) => layer))"""
# Maps each page of the open spread that has words to its text in the API.
TOLD = """await (async () => {
  const pages = __lectern.stage.spread
    .map(({ content }) => /\\/p\\/(\\d+)\\//.exec(content.imageURL)?.[1]).filter(page => page !== undefined)
  const book = __lectern.caption.book
  const told = await Promise.all(pages.map(async page =>
    [page, await (await fetch(`${__lectern.root}api/books/${book}/pages/${page}/text`)).json()]))
  return Object.fromEntries(told.filter(([, { text }]) => text !== ''))
})()"""
COMPLETE = f"(async () => Object.keys({TOLD}).every(page => page in ({LAYERS})))()"
# The text of each layer: selected, copied, and as the text of its nodes.
SAID = f"""Object.fromEntries(Object.entries({LAYERS}).map(([page, layer]) => {{
  const selection = getSelection()
  selection.selectAllChildren(layer)
  const copy = new ClipboardEvent('copy', {{ clipboardData: new DataTransfer(), bubbles: true, cancelable: true }})
  layer.dispatchEvent(copy)
  const said = [String(selection), copy.clipboardData.getData('text/plain'), layer.textContent]
  selection.removeAllRanges()
  return [page, said]
}}))"""
# How far the words are from their boxes, in CSS px: the greatest distance at the left and at the middle.
OFF = """await (async () => {
  let [count, left, middle] = [0, 0, 0]
  const told = %s
  for (const [page, layer] of Object.entries(%s)) {
    const over = layer.parentNode.getBoundingClientRect()
    const words = told[page].words
    const spans = [...layer.querySelectorAll('span')]
    if (spans.length !== words.length) return `${spans.length} of ${words.length} words`
    words.forEach(([x0, y0, x1, y1], n) => {
      const box = spans[n].getBoundingClientRect()
      count += 1
      left = Math.max(left, Math.abs(over.left + x0 * over.width - box.left))
      middle = Math.max(middle, Math.abs(over.top + (y0 + y1) / 2 * over.height - (box.top + box.bottom) / 2))
    })
  }
  return [count, left, middle]
})()""" % (TOLD, LAYERS)
# What the server tells about the book.
THE_BOOK = "fetch(`${__lectern.root}api/books/${__lectern.caption.book}`).then(told => told.json())"


PLACED = "[...document.querySelectorAll('.text span')].every(span => span.style.letterSpacing !== '')"


def await_words(reader):
    """Waits until the book rests and the words of its pages are there."""
    reader.wait_for(REST)
    reader.wait_for(f"await {COMPLETE} && {PLACED}")


def turn(reader, key="ArrowRight"):
    """Turns a leaf by a key."""
    with reader.settling("book"):
        reader.key(key)
    await_words(reader)


def assert_said(reader):
    """Asserts that the words on the pages are those of the server, and returns how many pages have some."""
    await_words(reader)
    told = reader.evaluate(TOLD)
    said = reader.evaluate(SAID)
    assert set(said) == set(told)
    for page, texts in said.items():
        assert texts == [told[page]["text"]] * 3, page
    return len(said)


# The words on the pages.


@BOTH_IN_ALL
@mainly("title", "The Night Ferry", "An Atlas of Small Islands", "One Onion")
def test_the_words_on_the_pages_are_those_of_the_server(reader, server, title):
    open_title(reader, server.url, title)
    pages = assert_said(reader)
    for _ in range(5):
        turn(reader)
        pages += assert_said(reader)
    assert pages >= 5


@BOTH_IN_ALL
def test_the_words_of_a_document_are_those_of_the_server(reader, books):
    open_title(reader, books.url, PDF_TITLE)
    reader.wait_for(f"(await {THE_BOOK}).searchable === 12")
    for _ in range(5):
        turn(reader)
    assert assert_said(reader) == 2


@BOTH
def test_each_word_lies_over_the_printed_one(reader, server):
    open_title(reader, server.url, "An Atlas of Small Islands")
    with reader.settling("book"):
        reader.key("f")
    for _ in range(4):
        turn(reader)
        count, left, middle = reader.evaluate(OFF)
        assert count > 0
        assert left < 2 and middle < 3, (left, middle)


@BOTH_IN_ALL
def test_a_book_names_its_language_at_its_words(reader, server):
    open_title(reader, server.url, "The Night Ferry")
    turn(reader)
    language = reader.evaluate(
        f"{THE_BOOK}.then(book => book.language)"
    )
    assert reader.evaluate(f"Object.values({LAYERS}).every(layer => layer.lang === '{language}')")


@MOVING
@BOTH_IN_ALL
def test_a_turning_page_has_no_words_and_a_resting_one_has_them_once(reader, open_books):
    in_book(reader, open_books)
    turn(reader)
    turn(reader)
    word = "timetable"
    seen = f"""[...document.querySelectorAll('.text')].filter(layer => layer.textContent.includes('{word}')
      && layer.checkVisibility({{ visibilityProperty: true }}) && !layer.closest('[inert]')).length"""
    assert reader.evaluate(seen) == 1
    with reader.settling("book"):
        reader.press([RIGHT])
        reader.move([(450, 384)], 20)
        reader.wait_for("!__lectern.settled")
        assert reader.evaluate(seen) == 0
        reader.move([RIGHT], 20)
        reader.dwell([RIGHT])
        reader.lift()
    await_words(reader)
    assert reader.evaluate(seen) == 1


def accessible_text(reader):
    """Returns the texts in Chromium's accessibility tree below the layers, by page."""
    send = reader._protocol.send
    nodes = {node["nodeId"]: node for node in send("Accessibility.getFullAXTree")["nodes"]}
    by_dom = {node["backendDOMNodeId"]: node for node in nodes.values() if "backendDOMNodeId" in node}

    def said(node):
        if node["role"]["value"] == "StaticText":
            return node.get("name", {}).get("value", "")
        return "".join(said(nodes[child]) for child in node.get("childIds", []) if child in nodes)

    texts = {}
    for page in reader.evaluate(f"Object.keys({LAYERS})"):
        found = send("Runtime.evaluate", {"expression": f"({LAYERS})[{page}]"})["result"]["objectId"]
        dom = send("DOM.describeNode", {"objectId": found})["node"]["backendNodeId"]
        texts[page] = said(by_dom[dom]) if dom in by_dom else ""
    return texts


def test_the_accessibility_tree_has_the_words_with_their_spaces_and_lines(reader, open_books):
    in_book(reader, open_books)
    for _ in range(4):
        turn(reader)
        told = reader.evaluate(TOLD)
        assert accessible_text(reader) == {page: one["text"] for page, one in told.items()}


@MOVING
def test_the_accessibility_tree_has_no_words_while_a_page_turns(reader, open_books):
    in_book(reader, open_books)
    turn(reader)
    turn(reader)
    with reader.settling("book"):
        reader.press([RIGHT])
        reader.move([(450, 384)], 20)
        reader.wait_for("!__lectern.settled")
        nodes = reader._protocol.send("Accessibility.getFullAXTree")["nodes"]
        names = " ".join(str(node.get("name", {}).get("value", "")) for node in nodes)
        assert "timetable" not in names
        reader.lift()


@BOTH
def test_the_browsers_find_finds_a_word_and_moves_nothing(reader, open_books):
    in_book(reader, open_books)
    turn(reader)
    turn(reader)
    place = "JSON.stringify([document.getElementById('table'), document.body, document.documentElement]" \
        ".map(one => [one.scrollLeft, one.scrollTop])) + document.getElementById('stage').getBoundingClientRect().top"
    before = reader.evaluate(place)
    assert reader.evaluate("window.find('no timetable')") is True
    assert reader.evaluate("getSelection().anchorNode.parentNode.closest('.text') !== null")
    assert reader.evaluate(place) == before
    assert reader.evaluate("window.find('walrus')") is False


# Selecting.

WORD = """(() => {
  const box = [...document.querySelectorAll('.text span')].find(one => one.textContent.includes('%s'))
    .getBoundingClientRect()
  return [box.left, (box.top + box.bottom) / 2, box.right, box.bottom - box.top]
})()"""


def word_at(reader, word):
    """Returns the left end, the middle line and the right end of a word in the window."""
    left, middle, right, _ = reader.evaluate(WORD % word)
    return left, middle, right


@BOTH
def test_text_is_selected_while_its_button_is_pressed(reader, open_books):
    in_book(reader, open_books)
    turn(reader)
    with reader.settling("book"):
        reader.key("f")
    turn(reader)
    button = "document.querySelector('[aria-keyshortcuts=T]').ariaPressed"
    assert reader.evaluate(button) == "false"
    reader.key("t")
    reader.wait_for(f"{button} === 'true'")
    before = reader.look().spread
    left, middle, _ = word_at(reader, "goes")
    _, lower, right = word_at(reader, "everyone")
    reader.drag((left + 1, middle), (right - 2, lower))
    assert reader.evaluate("String(getSelection())").strip() == "goes\nwhen everyone"
    assert reader.look().spread == before and reader.evaluate("__lectern.settled")
    reader.key("Escape")
    reader.wait_for(f"{button} === 'false'")
    assert reader.evaluate("String(getSelection())") == ""
    assert reader.evaluate("__lectern.screen") == "book"
    with reader.settling("book"):
        reader.drag(RIGHT, LEFT)
    assert reader.look().spread != before
    assert reader.evaluate("String(getSelection())") == ""


@BOTH
def test_a_double_click_selects_a_word_only_while_text_is_selected(reader, open_books):
    in_book(reader, open_books)
    turn(reader)
    turn(reader)
    reader.key("t")
    left, middle, right = word_at(reader, "timetable")
    at = ((left + right) / 2, middle)
    reader.double_click(at)
    reader.wait_for("String(getSelection()).startsWith('timetable')")
    assert not reader.evaluate("__lectern.caption.isFlat")
    reader.key("t")
    with reader.settling("book"):
        reader.double_click(at)
    reader.wait_for("__lectern.caption.isFlat")
    assert reader.evaluate("String(getSelection())") == ""


def test_a_book_that_closes_ends_the_selecting(reader, open_books):
    in_book(reader, open_books)
    reader.key("t")
    reader.wait_for("document.body.classList.contains('selecting')")
    with reader.settling("shelf"):
        reader.evaluate("__lectern.app.press('Escape')")
    reader.wait_for("!document.body.classList.contains('selecting')")
