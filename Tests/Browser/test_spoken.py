"""What is said to a reader who does not look: the lost line, the questions of others, and the text of the pages."""

import pytest

from company import hosted, join
from controls import click, open_title, text_of
from firefox import Firefox
from server import Line
from steps import BOTH_IN_ALL
from test_text import TOLD, await_words
from wireclient import Client

WORDY_PAGE = 7
STATUS = """[...document.querySelectorAll('[role=status]')].filter(one => one.checkVisibility())
  .map(one => one.textContent)"""


def said(reader, words):
    """Waits until a status says something."""
    reader.wait_for(f"{STATUS}.some(said => said.includes(`{words}`))")


@BOTH_IN_ALL
def test_a_lost_line_is_said_as_a_status(browser, server):
    """Item 17: the lost line."""
    line = Line(server.port)
    reader = browser.reader()
    try:
        reader.open(line.url)
        line.cut()
        reader.wait_for("!document.getElementById('notice').hidden")
        said(reader, text_of(reader, "#notice"))
        assert text_of(reader, "#notice") != ""
    finally:
        reader.close()
        line.close()


@BOTH_IN_ALL
def test_an_offer_and_a_question_for_the_book_are_said_as_a_status(reader, server, open_books):
    """Item 17: the hand-over, and offers."""
    with hosted(server, open_books) as leader:
        me = join(reader, server, leader)
        leader.do("handover", "offer", me)
        said(reader, "Maren hands you the book.")
        click(reader, "#strip .key")
        leader.wait(lambda: leader.room.presenter == me, "a follower of the window")
        with Client(server.url, room=leader.welcome.room, key=leader.links.follow, name="Theo") as guest:
            guest.do("handover", "ask")
            said(reader, "Theo would like the book.")
            click(reader, "#strip .key")
            guest.wait(lambda: guest.room.presenter == guest.id, "the presenter")


@pytest.fixture(scope="module", params=["firefox"])
def spoken_firefox():
    """A Firefox whose accessibility tree can be read."""
    browser = Firefox({"accessibility.force_disabled": -1}, is_coarse=True)
    browser.moves = False
    yield browser
    browser.close()


# The texts in Firefox's accessibility tree below the layers of words, in the order of the tree.
TREE = """(async () => {
  const service = Cc['@mozilla.org/accessibilityService;1'].getService(Ci.nsIAccessibilityService)
  const text = (node) => (node.childCount === 0 ? node.name ?? '' : [...Array(node.childCount).keys()]
    .map((n) => text(node.getChildAt(n))).join(''))
  let found = []
  const seek = (node) => {
    const classes = node.attributes?.has('class') ? node.attributes.getStringProperty('class').split(' ') : []
    if (classes.includes('text')) found.push(text(node))
    else for (let n = 0; n < node.childCount; n += 1) seek(node.getChildAt(n))
  }
  // The program builds the tree when it is first asked for.
  const until = Date.now() + 15000
  while (found.length < %d && Date.now() < until) {
    await new Promise((next) => setTimeout(next, 50))
    found = []
    for (const node of [...document.querySelectorAll('browser')].map((one) => service.getAccessibleFor(one))) {
      if (node !== null) seek(node)
    }
  }
  return found
})()"""


def test_firefoxs_accessibility_tree_has_the_words_with_their_spaces_and_lines(spoken_firefox, server):
    """Item 9: a page's text in the accessibility tree equals that of the server; test_text.py asks Chromium."""
    reader = spoken_firefox.reader()
    try:
        open_title(reader, server.url, "The Night Ferry", WORDY_PAGE)
        await_words(reader)
        told = reader.evaluate(TOLD)
        assert told
        assert sorted(spoken_firefox.in_chrome(TREE % len(told))) == sorted(one["text"] for one in told.values())
    finally:
        reader.close()
