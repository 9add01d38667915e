"""Access to a room: by links, codes and keys, and what each of them opens."""

import json

import wire
from sharing import (
    KEY, KEY_NEEDED, LOCKED, ROOM_GONE, TOO_MANY_TRIES, caught, echoed, elsewhere, status,
)


def test_a_link_leads_to_the_present_frame_with_the_links_rights(reading):
    guest, helper = reading.guest(), reading.guest(reading.links.present)
    assert not guest.role.isHost and not guest.role.mayShare
    assert not guest.me.isHidden and not reading.host.me.isHidden
    ours, theirs = caught(guest, reading.host)
    assert ours == theirs
    reading.leads()
    guest.wait(lambda: guest.role.bookAct == "ask", "told that it may ask")
    helper.wait(lambda: helper.role.bookAct == "take", "told that it may take the book")
    assert [one.role.role for one in (guest, helper, reading.host)] == [
        "follower", "copresenter", "presenter"
    ]
    assert not guest.role.mayTurn and guest.role.bookAct != "take"
    second = reading.guest(reading.links.host)
    assert second.role.isHost and second.role.mayShare


def test_a_code_admits_a_follower_and_gives_a_secret_for_later(reading, join):
    guest = join(key=reading.links.code.lower())
    assert guest.welcome.room == reading.name
    assert guest.welcome.key
    assert not guest.role.isHost
    again = reading.guest(guest.welcome.key)
    assert again.welcome.room == reading.name


def test_a_client_without_a_valid_key_is_rejected(reading, join):
    wrong = reading.links.follow[::-1]
    for shown in (
        {"room": reading.name}, {"room": reading.name, "key": wrong}, {"key": "ZZZZZZ"}, {},
    ):
        refused = join(waits=False, address=next(elsewhere), **shown)
        assert refused.wait_closed() == KEY_NEEDED, shown
    for shown in ({"room": "never-shared"}, {"room": "never-shared", "key": reading.links.host}):
        refused = join(waits=False, address=next(elsewhere), **shown)
        assert refused.wait_closed() == ROOM_GONE, shown


def test_a_guests_link_opens_only_the_shared_book(reading, library_server):
    guest = reading.leads().guest()
    book = guest.caption.book
    pictures = [one.imageURL for one in guest.elements.values()]
    # The ledge below the cover belongs to the book, so the pass opens it too.
    own = (f"/b/{book}/", f"/ledges/book/{book}.")
    assert pictures and all(picture.startswith(own) for picture in pictures), pictures
    for path in ("api/books", "api/imports", "api/search?q=the", "api/uploads", "api/recordings"):
        assert status(library_server.url + path)[0] in (401, 403), path
        assert status(library_server.url + path, reading.links.host)[0] in (401, 403), path
    assert status(library_server.url + "api/books", KEY)[0] == 200
    outline = f"{library_server.url}api/books/{book}/outline"
    assert status(outline)[0] == 403
    assert status(f"{outline}?pass={guest.welcome.pass_}")[0] == 200
    # The book cannot be left, because its shelf is not shared.
    guest.key("Escape")
    echoed(guest)
    assert (guest.caption.book, guest.role.role) == (book, "follower")
    for one in (one for one in guest.elements.values() if one.imageURL):
        address = library_server.url + one.imageURL[1:]
        assert status(address)[0] == 403, address
        mark = "&" if "?" in address else "?"
        assert status(f"{address}{mark}pass={guest.welcome.pass_}")[0] == 200, address
    titles = {book["title"] for book in books(library_server)}
    shown = {one.title for one in guest.elements.values()}
    others = {title for title in titles if title != reading.host.caption.title}
    assert others and not shown & others
    guest.do("go", next(one["id"] for one in books(library_server) if one["id"] != book), 1, wire.NO_PAGE)
    echoed(guest)
    assert guest.caption.book in ("", book)
    assert not {one.title for one in guest.elements.values()} & others


def books(library_server):
    """Returns all books, requested with the library's key."""
    answer = json.loads(status(library_server.url + "api/books", KEY)[1])
    return answer if isinstance(answer, list) else answer["books"]


def test_a_locked_room_admits_only_its_earlier_members(reading):
    inside = reading.guest()
    reading.rule("anyoneTurns", isLocked=True)
    assert reading.guest(waits=False).wait_closed() == LOCKED
    inside.lose()
    back = reading.guest(resume=inside.welcome.resume)
    assert back.id == inside.id
    assert not reading.guest(reading.links.host).code


def test_new_links_invalidate_the_old_ones(reading):
    old = reading.links
    reading.host.do("renewLinks")
    new = reading.host.wait(
        lambda: reading.host.links.follow not in ("", old.follow) and reading.host.links, "renewed"
    )
    for secret in (old.follow, old.present, old.host):
        refused = reading.guest(secret, waits=False, address=next(elsewhere))
        assert refused.wait_closed() == KEY_NEEDED
    reading.guest(new.follow)


def test_too_many_wrong_keys_block_their_address(reading, join):
    address = next(elsewhere)
    codes = [
        join(key="ZZZZZ" + letter, waits=False, address=address).wait_closed()
        for letter in "ABCDEFG"
    ]
    assert codes[0] == KEY_NEEDED
    assert codes[-1] == TOO_MANY_TRIES
    assert join(key=reading.links.code).welcome.room == reading.name
