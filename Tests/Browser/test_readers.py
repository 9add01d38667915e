"""A reader returns: to its own room, to the page that was open, and to a room that is gone."""

from steps import BOTH, in_book

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


def test_the_address_of_a_room_that_is_gone_says_so_without_a_library(reader, server):
    reader.goto(f"{server.url}r/no-such-room-1#AAAAAAAAAAAAAAAAAAAAAA")
    reader.wait_for("document.querySelector('#state h2')")
    assert reader.evaluate("document.querySelector('#state h2').textContent") == "This room is gone"
    assert reader.evaluate("document.querySelectorAll('#stage .el').length") == 0
