"""A reader returns: to its own room, to the page that was open, and to a room that is gone."""

from steps import BOTH, be_reader, in_book, room_address

LABEL = "document.querySelector('#open .detail')?.textContent ?? ''"


@BOTH
def test_the_root_address_leads_back_to_the_readers_room_and_page(browser, reader, server, open_books):
    before = in_book(reader, open_books)
    for _ in range(2):
        with reader.settling("book"):
            reader.key("ArrowRight")
    left = reader.look()
    again = reader.open(server.url)
    assert again.room == before.room
    assert again.spread == left.spread
    # For another reader the address leads elsewhere.
    other = browser.reader()
    try:
        assert other.open(server.url).room != before.room
    finally:
        other.close()

    # The book on the shelf shows where it was left, and opens there.
    with reader.settling("shelf"):
        reader.key("Escape")
    page = reader.evaluate("__lectern.caption.detail")
    assert f"ontinue on pages {left.spread[0] + 1}–" in page
    assert "ontinue on pages" in reader.evaluate(LABEL)
    assert reader.evaluate("document.getElementById('open').classList.contains('begun')")
    with reader.settling("book"):
        reader.evaluate("document.getElementById('open').click()")
    assert reader.look().spread == left.spread


def test_a_further_window_of_a_reader_has_a_stage_of_its_own(browser, reader, server, open_books):
    first = in_book(reader, open_books)
    book, page = (reader.evaluate(f"__lectern.caption.{name}") for name in ("book", "page"))
    other = browser.reader()
    try:
        be_reader(other, reader, server.url)
        # A copied tab has the address of the place; the plain address leads to a stage of its own, too.
        for path in (f"{room_address(server.url, first)}/{book}/{page + 5}", server.url):
            assert other.open(path).room == f"{first.room}-2"
        other.goto(f"{room_address(server.url, first)}/{book}/{page + 5}")
        other.wait_for(f"__lectern.isReady && location.pathname === '/r/{first.room}-2/{book}/{page + 5}'")
        with other.settling("shelf"):
            other.key("Escape")
        assert reader.look().screen == "book" and reader.evaluate("__lectern.caption.page") == page
        for one in (reader, other):
            assert one.evaluate("__lectern.session.people.size") == 1
            assert one.evaluate("document.querySelector('.people') === null"), "nobody else is shown"
    finally:
        other.close()


def test_the_address_of_a_room_that_is_gone_says_so_without_a_library(reader, server):
    reader.goto(f"{server.url}r/no-such-room-1#AAAAAAAAAAAAAAAAAAAAAA")
    reader.wait_for("document.querySelector('#state h2')")
    assert reader.evaluate("document.querySelector('#state h2').textContent") == "This room is gone"
    assert reader.evaluate("document.querySelectorAll('#stage .el').length") == 0
