"""A room below a path of nginx and of Caddy, with and without a login of theirs: what readers do there works."""

import base64
import contextlib
import http.client
import json
import pathlib
import urllib.error
import urllib.parse
import urllib.request
import zipfile

import pytest
from proxies import BEGINNING, EVERYTHING, PASSWORD, USER, free_port, proxied
from server import Server
from windows import PLACE, Window, turn_together

KEY = "the-key-of-this-library"
LIBRARY = pathlib.Path(__file__).resolve().parents[2] / "Web" / "library"
# The proxy, whether it keeps the path in requests, and whether it asks for a login.
CASES = [
    (kind, keeps, login)
    for kind in ("nginx", "caddy") for keeps, login in ((False, False), (True, False), (True, True))
]


@pytest.fixture(params=CASES, ids=lambda case: "-".join((
    case[0], "keeps" if case[1] else "removes", *(("login",) if case[2] else ()))))
def place(request, tmp_path):
    """The address of a library behind a proxy, its server, and whether the proxy asks for a login."""
    kind, keeps_path, has_login = request.param
    with library(kind, tmp_path, keeps_path, EVERYTHING if has_login else None) as (url, server):
        yield url, server, has_login


@pytest.fixture(params=[(kind, keeps) for kind in ("nginx", "caddy") for keeps in (False, True)],
                ids=lambda case: f"{case[0]}-{'keeps' if case[1] else 'removes'}")
def half_open(request, tmp_path):
    """The address of a library behind a proxy whose login guards only where readers without a link begin."""
    kind, keeps_path = request.param
    with library(kind, tmp_path, keeps_path, BEGINNING) as (url, _):
        yield url


@contextlib.contextmanager
def library(kind, folder, keeps_path, login):
    """A server behind a proxy that names its users; yields its address and the server."""
    port, own = free_port(), free_port()
    server = Server("--library", LIBRARY, "--library-key", KEY, "--trust-proxy", "loopback",
                    "--user-header", "Remote-User", "--public-url", f"http://127.0.0.1:{port}/books", port=own)
    try:
        with proxied(kind, folder, own, keeps_path, login, port) as url:
            yield url, server
    finally:
        assert server.stop() == 0


def signed(url, has_login):
    """A request with the login of the proxy and the key of the library."""
    request = urllib.request.Request(url, headers={"Lectern-Key": KEY})
    if has_login:
        token = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        request.add_header("Authorization", f"Basic {token}")
    return request


def open_book(window, url, has_login):
    """Opens a book of a locked library in the middle, and returns the place."""
    window.open(f"{url}#key={KEY}")
    books = json.load(urllib.request.urlopen(signed(url + "api/books", has_login)))
    book = next(one["id"] for one in books if one["title"] == "The Night Ferry")
    window.page.goto(f"{window.page.url.rstrip('/')}/{book}/4")
    return window.spread()


def test_two_readers_turn_a_page_together_there(place, chromium):
    url, _, has_login = place
    first = Window(chromium, has_login)
    open_book(first, url, has_login)
    link = first.link()
    assert link.startswith(url + "r/") and "#" in link, link
    # A guest needs no key of the library.
    second = Window(chromium, has_login)
    second.open(link)
    second.spread()
    after = turn_together(first, second)
    assert first.faults == [] and second.faults == []
    # A reload returns to the same place; the address without a slash leads to the library.
    second.page.reload()
    second.page.wait_for_function(f"{PLACE} === {json.dumps(after)}")
    second.spread()
    first.open(url.rstrip("/"))
    for window in (first, second):
        window.context.close()


def test_a_login_at_the_proxy_opens_the_library_and_names_the_reader(place, chromium):
    url, server, has_login = place
    window = Window(chromium, has_login)
    if has_login:
        # The proxy replaces what a reader claims.
        window.context.set_extra_http_headers({"Remote-User": "mallory"})
        window.open(url)
        window.page.wait_for_function("document.querySelectorAll('.ledge svg text').length > 8")
        assert window.page.evaluate("JSON.parse(localStorage['lectern-persona']).name") == USER
    else:
        window.page.goto(url)
        window.page.wait_for_selector("#state input[type=password]")
    assert [fault for fault in window.faults if fault[0] != 401] == []
    window.context.close()


def test_a_guest_needs_no_login_where_it_guards_the_beginning(half_open, chromium):
    first = Window(chromium, has_login=True)
    first.open(half_open)
    first.page.wait_for_function("document.querySelectorAll('.ledge svg text').length > 8")
    open_book(first, half_open, has_login=False)
    second = Window(chromium)
    second.open(first.link())
    turn_together(first, second)
    assert first.faults == [] and second.faults == []
    with pytest.raises(urllib.error.HTTPError, match="401"):
        urllib.request.urlopen(half_open)
    for window in (first, second):
        window.context.close()


# Other ways to write the address at which a login counts, for those who have none.
DETOURS = (
    "api/login", "api/login/", "api//login", "/api/login", "api/login?x", "api/./login", "api/x/../login",
    "r/../api/login", "api/%6cogin", "%61pi/login", "api%2flogin", "r/..%2fapi/login", "r/%2e%2e/api/login",
    "API/LOGIN", "api/login;x", "books/api/login", "books/books/api/login", "../books/api/login", "../api/login",
    "api/login%20", "api/login%00", "api/login.",
)
# A wrong password of a user.
WRONG = {"Authorization": "Basic " + base64.b64encode(f"{USER}:x".encode()).decode()}


@pytest.mark.parametrize("claim", [
    {}, {"Remote-User": "mallory"}, {"remote_user": "mallory"}, WRONG, {"Remote-User": "mallory"} | WRONG,
], ids=lambda claim: "+".join(claim) or "nothing")
def test_no_detour_leads_a_stranger_to_the_key(half_open, claim):
    address = urllib.parse.urlsplit(half_open)
    for detour in DETOURS:
        connection = http.client.HTTPConnection(address.netloc, timeout=10)
        connection.putrequest("GET", address.path + detour, skip_accept_encoding=True)
        for field in claim.items():
            connection.putheader(*field)
        connection.endheaders()
        answer = connection.getresponse()
        assert KEY.encode() not in answer.read(), (detour, answer.status)
        connection.close()
    # The reader who has logged in gets it, whatever the request claims besides.
    request = urllib.request.Request(half_open + "api/login", headers=claim)
    request.add_header("Authorization", signed(half_open, True).get_header("Authorization"))
    assert json.load(urllib.request.urlopen(request)) == {"key": KEY, "name": USER}


def test_a_link_with_a_code_in_its_path_opens_the_room_once_its_end_is_lost(place, chromium):
    url, _, has_login = place
    first = Window(chromium, has_login)
    open_book(first, url, has_login)
    first.page.click("#share")
    first.page.wait_for_function("document.querySelectorAll('dialog[open] .code b').length === 6")
    code = first.page.evaluate("document.querySelector('dialog[open] .code').textContent")
    second = Window(chromium, has_login=has_login)
    second.open(f"{url}c/{code}")
    assert second.page.url.split("/r/")[1].split("/")[0] == first.page.url.split("/r/")[1].split("/")[0]
    for window in (first, second):
        assert window.faults == []
        window.context.close()


def test_a_large_file_is_uploaded_through_a_limit_of_one_mebibyte(place, chromium, tmp_path):
    url, _, has_login = place
    comic = tmp_path / "large.cbz"
    picture = b'<svg xmlns="http://www.w3.org/2000/svg" width="30" height="40"><!--'
    with zipfile.ZipFile(comic, "w") as archive:
        for number in range(3):
            archive.writestr(f"{number}.svg", picture + bytes([65 + number]) * 1_200_000 + b"--></svg>")
    window = Window(chromium, has_login)
    window.open(f"{url}#key={KEY}")
    window.page.click("#upload")
    with window.page.expect_file_chooser() as chooser:
        window.page.click("dialog[open] button:has-text('Choose')")
    chooser.value.set_files(comic)
    window.page.wait_for_function("document.querySelector('.transfers .done, .transfers .failed')", timeout=60_000)
    books = json.load(urllib.request.urlopen(signed(url + "api/books", has_login)))
    assert any(one["title"] == "large" and one["pages"] == 3 for one in books), window.faults
    assert window.faults == []
    window.context.close()


def test_the_page_names_only_addresses_below_the_path(place, chromium):
    url, server, has_login = place
    window = Window(chromium, has_login)
    asked = []
    window.page.on("request", lambda request: asked.append(request.url))
    window.page.on("websocket", lambda socket: asked.append(socket.url.replace("ws:", "http:")))
    window.open(f"{url}#key={KEY}")
    window.page.wait_for_function("document.querySelectorAll('.ledge svg text').length > 8")
    assert [one for one in asked if not one.startswith(url) and not one.startswith("data:")] == []
    assert len(asked) > 20 and any(one.endswith("/books/ws") for one in asked)
    manifest = json.load(urllib.request.urlopen(signed(url + "manifest.webmanifest", has_login)))
    assert (manifest["start_url"], manifest["scope"]) == ("./", "./")
    cookies = window.context.cookies()
    assert cookies and all(cookie["path"] == "/books/" for cookie in cookies), cookies
    # The proxy reports the client.
    metrics = urllib.request.urlopen(server.admin_url + "metrics").read().decode()
    assert "lectern_websockets_opened_total" in metrics
    window.context.close()
